package dev.orrery.example.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.common.Account;
import dev.orrery.example.common.LocalServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The platform on accounts of one region each, which answer at once wherever they are asked. */
class PublishingIT {
    private static final List<String> REGIONS = List.of("West US", "North Europe", "Southeast Asia");

    @TempDir
    static Path folder;

    private static final List<LocalServer> SERVERS = new ArrayList<>();
    private static final List<ContentPublishDatabase> OPEN = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < REGIONS.size(); i++) {
            var server = LocalServer.start(
                    Path.of(System.getProperty("orrery.home")), folder.resolve("server" + i + ".log"), "--memory");
            SERVERS.add(server);
            try (var account = new Account(server.endpoint(), LocalServer.KEY)) {
                ContentSchema.create(account.createDatabase(ContentSchema.DATABASE));
            }
        }
    }

    @AfterAll
    static void stop() {
        OPEN.forEach(ContentPublishDatabase::close);
        SERVERS.forEach(LocalServer::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void anArticleIsReadWhereverItWasPublished(int regions) {
        var platform = platform(regions);
        for (var home : platform) {
            var article = article("ada", "science");
            home.publish(article);
            assertThat(platform)
                    .allSatisfy(
                            there -> assertThat(there.readArticle(article.id())).contains(article));
        }
        assertThat(platform.getFirst().readArticle("none")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void reviewsOfAllRegionsAreReadTogether(int regions) {
        var platform = platform(regions);
        var article = id();
        var written = platform.stream()
                .map(region -> region.writeReview(article, "ada", "good", 4))
                .toList();
        assertThat(platform)
                .allSatisfy(
                        there -> assertThat(there.readReviews(article)).containsExactlyInAnyOrderElementsOf(written));
        assertThat(platform.getFirst().readReviews(id())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void whoSubscribesInOneRegionIsToldOfArticlesOfAnother(int regions) {
        var platform = platform(regions);
        var author = id();
        var category = id();
        var byAuthor = id();
        var byCategory = id();
        platform.getLast().createSubscription(byAuthor, author);
        platform.getFirst().createSubscription(byCategory, category);
        var article = article(author, category);
        platform.getFirst().publish(article);
        for (var user : List.of(byAuthor, byCategory)) {
            assertThat(platform)
                    .allSatisfy(there -> assertThat(there.readNotificationFeed(user))
                            .extracting(Notification::articleId)
                            .containsExactly(article.id()));
        }
        assertThat(platform.getFirst().readNotificationFeed(id())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void nobodyIsToldTwice(int regions) {
        var platform = platform(regions);
        var author = id();
        var category = id();
        var user = id();
        platform.forEach(region -> {
            region.createSubscription(user, author);
            region.createSubscription(user, author);
            region.createSubscription(user, category);
        });
        var article = article(author, category);
        // Published again, as after a failure, and from another region.
        platform.getFirst().publish(article);
        platform.getFirst().publish(article);
        platform.getLast().publish(article);
        assertThat(platform.getLast().readNotificationFeed(user)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void longListsAreReadPageByPage(int regions) {
        var platform = platform(regions);
        var article = id();
        var written = IntStream.range(0, ContentPublishDatabase.PAGE_ITEMS + 5)
                .boxed()
                .flatMap(i -> platform.stream().map(region -> region.writeReview(article, "ada", "review " + i, 3)))
                .toList();
        assertThat(platform.getFirst().readReviews(article)).containsExactlyInAnyOrderElementsOf(written);
    }

    /** The applications of all regions. */
    private static List<ContentPublishDatabase> platform(int regions) {
        var accounts = SERVERS.subList(0, regions).stream()
                .map(server -> new RegionalAccount(server.endpoint(), LocalServer.KEY))
                .toList();
        return IntStream.range(0, regions)
                .mapToObj(here -> {
                    var others = new ArrayList<>(accounts);
                    others.remove(here);
                    var nearestFirst = new ArrayList<>(REGIONS.subList(0, regions));
                    nearestFirst.addFirst(nearestFirst.remove(here));
                    var application = new ContentPublishDatabase(
                            nearestFirst, accounts.get(here), others, UnaryOperator.identity());
                    OPEN.add(application);
                    return application;
                })
                .toList();
    }

    private static Article article(String author, String category) {
        return Article.by(author, id(), category, List.of("new"), "A title", "A text.");
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }
}
