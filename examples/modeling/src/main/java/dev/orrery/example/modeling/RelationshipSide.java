package dev.orrery.example.modeling;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A publisher and its books: every book names its publisher, or the publisher lists its books. */
final class RelationshipSide {
    static final String ADD = "add a book";
    static final String LIST = "list all books of a publisher";
    static final String LIST_IDS = "list the ids of all books of a publisher";

    private static final String PUBLISHER = "publisher-1";
    private static final int BOOKS = 100;
    private static final Comparator<Book> BY_ID = Comparator.comparing(Book::id);

    record Book(String id, @JsonProperty("pub-id") String publisherId, String title, int year) {}

    interface Catalogue {
        void addPublisher(String id);

        void add(Book book);

        /** Sorted. */
        List<String> bookIds(String publisherId);

        /** Sorted by their ids. */
        List<Book> books(String publisherId);
    }

    /** A book has the id of its publisher, which is its partition key as well. */
    static final class OnTheBook implements Catalogue {
        private record Publisher(String id, String name) {}

        private final Container publishers;
        private final Container books;

        OnTheBook(Workbench bench) {
            publishers = bench.container("publishers", "/id");
            books = bench.container("booksOfPublishers", "/pub-id");
        }

        @Override
        public void addPublisher(String id) {
            publishers.create(id, new Publisher(id, "Press " + id));
        }

        @Override
        public void add(Book book) {
            books.create(book.publisherId(), book);
        }

        @Override
        public List<String> bookIds(String publisherId) {
            return books.query(publisherId, String.class, "SELECT VALUE b.id FROM b").stream()
                    .sorted()
                    .toList();
        }

        @Override
        public List<Book> books(String publisherId) {
            return books.query(publisherId, Book.class, "SELECT * FROM b").stream()
                    .sorted(BY_ID)
                    .toList();
        }
    }

    /** A publisher has the ids of its books. */
    static final class OnThePublisher implements Catalogue {
        private record PublisherWithBooks(String id, String name, List<String> books) {}

        private final Container publishers;
        private final Container books;

        OnThePublisher(Workbench bench) {
            publishers = bench.container("publishersWithBooks", "/id");
            books = bench.container("books", "/id");
        }

        @Override
        public void addPublisher(String id) {
            publishers.create(id, new PublisherWithBooks(id, "Press " + id, List.of()));
        }

        @Override
        public void add(Book book) {
            books.create(book.id(), book);
            var publisher = book.publisherId();
            publishers.patch(
                    publisher, publisher, CosmosPatchOperations.create().add("/books/-", book.id()));
        }

        @Override
        public List<String> bookIds(String publisherId) {
            return publishers.read(publisherId, publisherId, PublisherWithBooks.class).books().stream()
                    .sorted()
                    .toList();
        }

        @Override
        public List<Book> books(String publisherId) {
            var ids = publishers
                    .read(publisherId, publisherId, PublisherWithBooks.class)
                    .books();
            return books.readMany(ids, Book.class).stream().sorted(BY_ID).toList();
        }
    }

    private RelationshipSide() {}

    static TradeOff measure(Workbench bench) {
        var comparison =
                bench.compare("on the book", new OnTheBook(bench), "on the publisher", new OnThePublisher(bench));
        comparison.prepare(catalogue -> {
            catalogue.addPublisher(PUBLISHER);
            IntStream.range(0, BOOKS).forEach(number -> catalogue.add(book("book", number)));
        });
        comparison.measure(LIST, (catalogue, _) -> catalogue.books(PUBLISHER));
        comparison.measure(LIST_IDS, (catalogue, _) -> catalogue.bookIds(PUBLISHER));
        comparison.measure(
                ADD,
                (catalogue, number) -> catalogue.add(book("new", number)),
                (catalogue, _) -> catalogue.bookIds(PUBLISHER));
        return comparison.tradeOff();
    }

    static Book book(String kind, int number) {
        var id = kind + "-" + (1_000 + number);
        return new Book(id, PUBLISHER, "Title of " + id, 1950 + number % 70);
    }
}
