package dev.orrery.example.publishing;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import dev.orrery.example.common.Account;
import dev.orrery.example.common.Together;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The content of all accounts, for an application in one region: it writes to the account of its region, and reads from all
 * accounts in their replicas in its region. There may be one account only, that is written in all regions.
 */
public final class ContentPublishDatabase implements AutoCloseable {
    /** How many items a request brings at most; a union of long lists is read page by page. */
    static final int PAGE_ITEMS = 50;

    private static final String BY_TYPE = "SELECT * FROM c WHERE c.type = @type";

    private final CosmosClient writeClient;
    private final List<CosmosClient> readClients;
    private final CosmosContainer own;
    private final List<CosmosContainer> all;

    /**
     * Connects to all accounts.
     *
     * @param nearestFirst all regions, the application's own first
     * @param local the account that is written in the application's region
     * @param others the accounts that are written elsewhere
     * @param settings what else the clients need, such as a proxy
     */
    public ContentPublishDatabase(
            List<String> nearestFirst,
            RegionalAccount local,
            List<RegionalAccount> others,
            UnaryOperator<CosmosClientBuilder> settings) {
        writeClient = connect(local, nearestFirst, settings);
        readClients = others.stream()
                .map(account -> connect(account, nearestFirst, settings))
                .toList();
        own = container(writeClient);
        all = Stream.concat(Stream.of(writeClient), readClients.stream())
                .map(ContentPublishDatabase::container)
                .toList();
    }

    private static CosmosClient connect(
            RegionalAccount account, List<String> nearestFirst, UnaryOperator<CosmosClientBuilder> settings) {
        return settings.apply(Account.builder(account.endpoint(), account.key()).preferredRegions(nearestFirst))
                .buildClient();
    }

    private static CosmosContainer container(CosmosClient client) {
        return client.getDatabase(ContentSchema.DATABASE).getContainer(ContentSchema.CONTAINER);
    }

    /** Lets a user know of all articles of an author or in a category from now on. */
    public Subscription createSubscription(String userId, String filter) {
        var subscription = Subscription.of(userId, filter);
        own.upsertItem(subscription, new PartitionKey(filter), new CosmosItemRequestOptions());
        return subscription;
    }

    public Review writeReview(String articleId, String userId, String text, int rating) {
        var review = Review.of(UUID.randomUUID().toString(), articleId, userId, text, rating);
        own.createItem(review, new PartitionKey(articleId), new CosmosItemRequestOptions());
        return review;
    }

    /** What a user was told of, wherever that was published. */
    public List<Notification> readNotificationFeed(String userId) {
        return List.copyOf(union(userId, Notification.TYPE, Notification.class, Notification::articleId));
    }

    public Optional<Article> readArticle(String articleId) {
        return union(articleId, Article.TYPE, Article.class, Article::id).stream()
                .findFirst();
    }

    public List<Review> readReviews(String articleId) {
        return List.copyOf(union(articleId, Review.TYPE, Review.class, Review::id));
    }

    /**
     * Publishes an article and tells all who have subscribed to its author or category, wherever they did. Repeating it after a
     * failure changes nothing but what was missing.
     */
    public void publish(Article article) {
        own.upsertItem(article, new PartitionKey(article.partitionKey()), new CosmosItemRequestOptions());
        notifySubscribers(article);
    }

    private void notifySubscribers(Article article) {
        var subscriptions = Together.map(List.of(article.author(), article.category()), this::subscriptions).stream()
                .flatMap(List::stream)
                .toList();
        // Whoever subscribed to both, or in two regions, is told once.
        Map<String, Subscription> byUser = new LinkedHashMap<>();
        subscriptions.forEach(subscription -> byUser.putIfAbsent(subscription.userId(), subscription));
        Together.forEach(List.copyOf(byUser.values()), subscription -> {
            var notification = Notification.of(subscription, article.id());
            own.upsertItem(notification, new PartitionKey(notification.partitionKey()), new CosmosItemRequestOptions());
        });
    }

    private List<Subscription> subscriptions(String filter) {
        return List.copyOf(union(filter, Subscription.TYPE, Subscription.class, Subscription::userId));
    }

    /** What all accounts have in a partition, each thing once. */
    private <T> Collection<T> union(String partitionKey, String type, Class<T> form, Function<T, String> identity) {
        Map<String, T> union = new LinkedHashMap<>();
        Together.map(all, container -> read(container, partitionKey, type, form))
                .forEach(items -> items.forEach(item -> union.putIfAbsent(identity.apply(item), item)));
        return union.values();
    }

    private static <T> List<T> read(CosmosContainer container, String partitionKey, String type, Class<T> form) {
        var query = new SqlQuerySpec(BY_TYPE, List.of(new SqlParameter("@type", type)));
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(partitionKey));
        return container
                .queryItems(query, options, form)
                .streamByPage(PAGE_ITEMS)
                .flatMap(page -> page.getResults().stream())
                .toList();
    }

    @Override
    public void close() {
        writeClient.close();
        readClients.forEach(CosmosClient::close);
    }
}
