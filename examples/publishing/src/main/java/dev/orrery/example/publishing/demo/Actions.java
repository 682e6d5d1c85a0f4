package dev.orrery.example.publishing.demo;

import dev.orrery.checker.Action;
import dev.orrery.checker.Outcome;
import dev.orrery.checker.Recorder;
import dev.orrery.example.publishing.Article;
import dev.orrery.example.publishing.ContentPublishDatabase;
import dev.orrery.example.publishing.Review;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Does one thing at a time on the platform, and notes how long it took and what became of it. */
final class Actions {
    private static final int CATEGORIES = 10;
    private static final int USERS = 12;
    /** Time passes quickly here: so long is an hour, and there is news in each. */
    private static final double HOUR_MILLIS = 2_000;

    private static final String TEXT = "Whoever reads this has waited for it no longer than was needed. ".repeat(8);

    /**
     * Where notes are taken.
     *
     * @param written what was written, for the proof in the end
     */
    record Notes(Diary diary, Recorder written, Sightings sightings) {}

    private final Region here;
    private final Region nearest;
    private final String account;
    private final ContentPublishDatabase platform;
    private final Notes notes;
    private final int session;
    private final AtomicInteger articles = new AtomicInteger();
    private final AtomicInteger reviews = new AtomicInteger();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final Set<String> news = ConcurrentHashMap.newKeySet();

    /**
     * @param here where they are done
     * @param nearest the region whose servers are taken for the nearest
     * @param account the one that is written
     * @param session tells apart who does them
     */
    Actions(Region here, Region nearest, String account, ContentPublishDatabase platform, Notes notes, int session) {
        this.here = here;
        this.nearest = nearest;
        this.account = account;
        this.platform = platform;
        this.notes = notes;
        this.session = session;
    }

    /** Publishes an article, or the one before once more with another title. */
    void publish() {
        int number = articles.getAndIncrement();
        var title = number % 2 == 0 ? "first" : "revised";
        publish(ownArticle(number / 2), category(number / 2), title);
    }

    private String ownArticle(int number) {
        return "%s-%d-%d".formatted(nearest.account(), session, number);
    }

    private void publish(String id, String category, String title) {
        var article = Article.by(author(here), id, category, List.of("demo", here.title()), title, TEXT);
        write(Method.PUBLISH, Written.article(account, id, title), () -> platform.publish(article));
    }

    /** Publishes the news of the hour, as editors do in all regions at the same time; once each. */
    void publishNews() {
        var id = "news-" + hour();
        if (news.add(id)) {
            publish(id, category(0), "as told in " + here);
        }
    }

    /** The titles under which readers here find articles. */
    Map<String, Optional<String>> titlesOf(Set<String> articles) {
        Map<String, Optional<String>> titles = new TreeMap<>();
        articles.forEach(id -> titles.put(id, platform.readArticle(id).map(Article::title)));
        return titles;
    }

    /** The news that were published here. */
    Set<String> news() {
        return Set.copyOf(news);
    }

    void subscribe() {
        int number = subscriptions.getAndIncrement() % USERS;
        var user = user(number);
        var filter = number % 3 == 0 ? author(here.next(List.of(Region.values()))) : category(number);
        write(
                Method.SUBSCRIBE,
                Written.subscription(account, filter, user),
                () -> platform.createSubscription(user, filter));
    }

    void review() {
        int number = reviews.getAndIncrement();
        var article = underReview();
        var text = "%s, %d: number %d".formatted(here, session, number);
        write(Method.REVIEW, Written.review(account, text), () -> platform.writeReview(article, user(0), text, 5));
    }

    private void write(Method method, Action.Write write, Runnable request) {
        var pending = notes.written.begin(session);
        var article = underReview();
        boolean done = measure(
                method,
                () -> {
                    request.run();
                    return write;
                },
                _ -> {});
        pending.end(write, done ? Outcome.DONE : Outcome.UNKNOWN);
        if (done && method == Method.REVIEW) {
            notes.sightings.acknowledged(write.value().orElseThrow(), article, nearest, notes.diary.now());
        }
    }

    void readFeed() {
        measure(Method.READ_FEED, () -> platform.readNotificationFeed(user(session % USERS)), _ -> {});
    }

    void readArticle() {
        measure(Method.READ_ARTICLE, () -> platform.readArticle(ownArticle(0)), _ -> {});
    }

    void readReviews(String article) {
        measure(
                Method.READ_REVIEWS,
                () -> platform.readReviews(article),
                found -> notes.sightings.saw(
                        here, found.stream().map(Review::reviewText).toList(), notes.diary.now()));
    }

    /** The article that everybody reviews now; another one before long, as lists must not grow for ever. */
    String underReview() {
        return "reviewed-" + hour();
    }

    private long hour() {
        return (long) (notes.diary.now() / HOUR_MILLIS);
    }

    private <T> boolean measure(Method method, Supplier<T> request, Consumer<T> look) {
        double begin = notes.diary.now();
        boolean failed = false;
        try {
            look.accept(request.get());
        } catch (RuntimeException _) { // The SDK has several kinds for a server that does not answer.
            failed = true;
        }
        notes.diary.add(new Call(here, method, here != nearest, begin, notes.diary.now() - begin, failed));
        return !failed;
    }

    private String user(int number) {
        return "reader %d of %s".formatted(number, here);
    }

    private static String author(Region region) {
        return "author of " + region;
    }

    private static String category(int number) {
        return "category " + number % CATEGORIES;
    }
}
