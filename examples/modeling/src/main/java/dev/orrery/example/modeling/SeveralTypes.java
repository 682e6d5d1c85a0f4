package dev.orrery.example.modeling;

import static java.util.Comparator.comparing;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.IntStream;

/** Books and their reviews: in one container, told apart by their type, or in a container each. */
final class SeveralTypes {
    static final String SHOW = "show a book with its reviews";
    static final String REVIEW = "add a review and count it";
    static final String TITLES = "list the titles of all books";

    private static final int BOOKS = 20;
    private static final int REVIEWS_OF_EACH = 10;

    /** A book as the item that is stored; its id is its partition key under both names. */
    record Book(String id, String bookId, String type, String title, int countOfReviews) {
        static Book of(String id) {
            return new Book(id, id, "book", "Title of " + id, 0);
        }
    }

    record Review(String id, String bookId, String type, int rating, String text) {
        static Review of(String id, String bookId, int rating) {
            return new Review(id, bookId, "review", rating, "What I think of " + bookId + " is said in " + id + ".");
        }
    }

    /** A book with its reviews, sorted by their ids. */
    record BookPage(Book book, List<Review> reviews) {}

    interface Shelf {
        void add(Book book);

        void add(Review review);

        BookPage show(String bookId);

        /** Sorted. */
        List<String> titles();
    }

    /** A book and its reviews are one partition, so that one query finds them and one transaction changes them. */
    static final class OneContainer implements Shelf {
        /** Any of the two types. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        private record Item(
                String id, String bookId, String type, String title, int countOfReviews, int rating, String text) {
            boolean isBook() {
                return type.equals("book");
            }

            Book book() {
                return new Book(id, bookId, type, title, countOfReviews);
            }

            Review review() {
                return new Review(id, bookId, type, rating, text);
            }
        }

        private final Container items;

        OneContainer(Workbench bench) {
            items = bench.container("booksAndReviews", "/bookId");
        }

        @Override
        public void add(Book book) {
            items.create(book.bookId(), book);
        }

        @Override
        public void add(Review review) {
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey(review.bookId()));
            batch.createItemOperation(review);
            batch.patchItemOperation(review.bookId(), counted());
            items.execute(batch);
        }

        @Override
        public BookPage show(String bookId) {
            var found = items.query(bookId, Item.class, "SELECT * FROM c");
            var book = found.stream()
                    .filter(Item::isBook)
                    .findFirst()
                    .orElseThrow()
                    .book();
            var reviews = found.stream()
                    .filter(item -> !item.isBook())
                    .map(Item::review)
                    .sorted(comparing(Review::id))
                    .toList();
            return new BookPage(book, reviews);
        }

        @Override
        public List<String> titles() {
            return items.queryAll(String.class, "SELECT VALUE c.title FROM c WHERE c.type = 'book'").stream()
                    .sorted()
                    .toList();
        }
    }

    /** Books and reviews have a container each. */
    static final class TwoContainers implements Shelf {
        private final Container books;
        private final Container reviews;

        TwoContainers(Workbench bench) {
            books = bench.container("books", "/bookId");
            reviews = bench.container("reviews", "/bookId");
        }

        @Override
        public void add(Book book) {
            books.create(book.bookId(), book);
        }

        @Override
        public void add(Review review) {
            reviews.create(review.bookId(), review);
            books.patch(review.bookId(), review.bookId(), counted());
        }

        @Override
        public BookPage show(String bookId) {
            var book = books.read(bookId, bookId, Book.class);
            var found = reviews.query(bookId, Review.class, "SELECT * FROM r").stream()
                    .sorted(comparing(Review::id))
                    .toList();
            return new BookPage(book, found);
        }

        @Override
        public List<String> titles() {
            return books.queryAll(String.class, "SELECT VALUE b.title FROM b").stream()
                    .sorted()
                    .toList();
        }
    }

    private SeveralTypes() {}

    static TradeOff measure(Workbench bench) {
        var comparison =
                bench.compare("one container", new OneContainer(bench), "two containers", new TwoContainers(bench));
        comparison.prepare(shelf -> {
            for (int book = 0; book < BOOKS; book++) {
                var id = bookId(book);
                shelf.add(Book.of(id));
                IntStream.range(0, REVIEWS_OF_EACH)
                        .forEach(number -> shelf.add(Review.of("review-" + (1_000 + number), id, 1 + number % 5)));
            }
        });
        comparison.measure(SHOW, (shelf, number) -> shelf.show(bookId(number % BOOKS)));
        comparison.measure(
                REVIEW,
                (shelf, number) -> shelf.add(Review.of("new-" + (1_000 + number), bookId(number % BOOKS), 4)),
                (shelf, number) -> shelf.show(bookId(number % BOOKS)));
        comparison.measure(TITLES, (shelf, _) -> shelf.titles());
        return comparison.tradeOff();
    }

    static String bookId(int number) {
        return "book-" + (1_000 + number);
    }

    private static CosmosPatchOperations counted() {
        return CosmosPatchOperations.create().increment("/countOfReviews", 1);
    }
}
