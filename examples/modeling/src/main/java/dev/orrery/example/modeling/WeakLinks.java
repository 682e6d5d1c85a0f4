package dev.orrery.example.modeling;

import com.azure.cosmos.CosmosException;
import java.util.Locale;
import java.util.stream.IntStream;

/** Books that name their publisher: unchecked, or checked by scripts in the partition that both share. */
final class WeakLinks {
    static final String ADD = "add a book";
    static final String READ = "read a book";
    static final String REMOVE = "remove a publisher";

    private static final String PUBLISHER = "publisher-1";
    private static final String NOBODY = "publisher-0";

    record Publisher(String id, String pubId, String type, String name) {
        static Publisher of(String id) {
            return new Publisher(id, id, "publisher", "Press " + id);
        }
    }

    record Book(String id, String pubId, String type, String title) {
        static Book of(String id, String pubId) {
            return new Book(id, pubId, "book", "Title of " + id);
        }
    }

    interface Catalogue {
        void add(Publisher publisher);

        void add(Book book);

        Book book(String pubId, String id);

        void remove(String pubId);
    }

    /** Nobody looks whether the publisher of a book exists, when it comes or later. */
    static class Unchecked implements Catalogue {
        final Container books;

        Unchecked(Workbench bench) {
            this(bench.container("uncheckedBooks", "/pubId"));
        }

        private Unchecked(Container books) {
            this.books = books;
        }

        @Override
        public void add(Publisher publisher) {
            books.create(publisher.pubId(), publisher);
        }

        @Override
        public void add(Book book) {
            books.create(book.pubId(), book);
        }

        @Override
        public Book book(String pubId, String id) {
            return books.read(pubId, id, Book.class);
        }

        @Override
        public void remove(String pubId) {
            books.delete(pubId, pubId);
        }
    }

    /** A book needs a publisher, and a publisher stays for as long as it has books. */
    static final class Checked extends Unchecked {
        Checked(Workbench bench) {
            super(bench.container("checkedBooks", "/pubId")
                    .withPreTrigger("checkPublisher")
                    .withProcedure("removePublisher"));
        }

        @Override
        public void add(Book book) {
            books.createThrough("checkPublisher", book.pubId(), book);
        }

        @Override
        public void remove(String pubId) {
            books.call("removePublisher", pubId, pubId);
        }
    }

    private WeakLinks() {}

    static TradeOff measure(Workbench bench) {
        var unchecked = new Unchecked(bench);
        var checked = new Checked(bench);
        var comparison = bench.compare("unchecked", unchecked, "checked", checked);
        comparison.prepare(catalogue -> {
            catalogue.add(Publisher.of(PUBLISHER));
            IntStream.range(0, comparison.numbers()).forEach(number -> catalogue.add(Publisher.of(emptyId(number))));
        });
        comparison.measure(
                ADD,
                (catalogue, number) -> catalogue.add(Book.of(bookId(number), PUBLISHER)),
                (catalogue, number) -> catalogue.book(PUBLISHER, bookId(number)));
        comparison.measure(READ, (catalogue, number) -> catalogue.book(PUBLISHER, bookId(number)));
        comparison.measure(
                REMOVE,
                (catalogue, number) -> catalogue.remove(emptyId(number)),
                (catalogue, number) -> outcome(() -> catalogue.book(emptyId(number), emptyId(number))));
        comparison.find(String.format(
                Locale.ROOT,
                "A book of a publisher that does not exist is %s when unchecked and %s when checked;"
                        + " the removal of a publisher that has books is %s and %s.",
                outcome(() -> unchecked.add(Book.of("lost", NOBODY))),
                outcome(() -> checked.add(Book.of("lost", NOBODY))),
                outcome(() -> unchecked.remove(PUBLISHER)),
                outcome(() -> checked.remove(PUBLISHER))));
        return comparison.tradeOff();
    }

    private static String outcome(Runnable request) {
        try {
            request.run();
            return "accepted";
        } catch (CosmosException refused) {
            return "refused with " + refused.getStatusCode();
        }
    }

    private static String bookId(int number) {
        return "book-" + (1_000 + number);
    }

    private static String emptyId(int number) {
        return "empty-" + (1_000 + number);
    }
}
