package dev.orrery.example.modeling;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.SqlParameter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Books with what their pages show of the authors and authors with their number of books, or ids and a count on demand. */
final class Hybrid {
    static final String SHOW_BOOK = "show a book with its authors";
    static final String SHOW_AUTHOR = "show an author with the number of books";
    static final String ADD = "add a book";
    static final String RENAME = "rename an author";

    private static final int AUTHORS = 10;
    private static final int BOOKS = 50;
    private static final int AUTHORS_OF_EACH = 2;

    /** Everything of one catalogue lies in one partition: that is as far as a transaction reaches. */
    private static final String CATALOGUE = "catalogue-1";

    private static final Comparator<AuthorSummary> BY_ID = Comparator.comparing(AuthorSummary::id);

    record Image(String kind, String url) {}

    /** What the page of a book shows of an author. */
    record AuthorSummary(String id, String name, String thumbnailUrl) {}

    /** The page of a book. */
    record BookPage(String title, List<AuthorSummary> authors) {}

    /** The page of an author. */
    record AuthorPage(String name, int countOfBooks, List<Image> images) {}

    interface Catalogue {
        void addAuthor(String id, String name);

        void addBook(String id, List<String> authorIds);

        BookPage book(String id);

        AuthorPage author(String id);

        void rename(String authorId, String name);
    }

    /** Pages are read as they lie; scripts keep in step what is there twice. */
    static final class WithSummaries implements Catalogue {
        private record CountedAuthor(
                String id, String catalogueId, String type, String name, int countOfBooks, List<Image> images) {}

        private record BookWithSummaries(
                String id, String catalogueId, String type, String title, List<AuthorSummary> authors) {}

        private final Container items;

        WithSummaries(Workbench bench) {
            items = bench.container("hybridCatalogue", "/catalogueId")
                    .withProcedure("addBook")
                    .withProcedure("renameAuthor");
        }

        @Override
        public void addAuthor(String id, String name) {
            items.create(CATALOGUE, new CountedAuthor(id, CATALOGUE, "author", name, 0, images(id)));
        }

        @Override
        public void addBook(String id, List<String> authorIds) {
            // The procedure fills in the authors.
            items.call(
                    "addBook",
                    CATALOGUE,
                    new BookWithSummaries(id, CATALOGUE, "book", title(id), List.of()),
                    authorIds);
        }

        @Override
        public BookPage book(String id) {
            var book = items.read(CATALOGUE, id, BookWithSummaries.class);
            return new BookPage(book.title(), book.authors());
        }

        @Override
        public AuthorPage author(String id) {
            var author = items.read(CATALOGUE, id, CountedAuthor.class);
            return new AuthorPage(author.name(), author.countOfBooks(), author.images());
        }

        @Override
        public void rename(String authorId, String name) {
            items.call("renameAuthor", CATALOGUE, authorId, name);
        }
    }

    /** Everything is there once. */
    static final class Referenced implements Catalogue {
        private record Author(String id, String catalogueId, String type, String name, List<Image> images) {
            AuthorSummary summary() {
                return new AuthorSummary(id, name, images.getFirst().url());
            }
        }

        private record Book(String id, String catalogueId, String type, String title, List<String> authors) {}

        private final Container items;

        Referenced(Workbench bench) {
            items = bench.container("referencingCatalogue", "/catalogueId");
        }

        @Override
        public void addAuthor(String id, String name) {
            items.create(CATALOGUE, new Author(id, CATALOGUE, "author", name, images(id)));
        }

        @Override
        public void addBook(String id, List<String> authorIds) {
            items.create(CATALOGUE, new Book(id, CATALOGUE, "book", title(id), authorIds));
        }

        @Override
        public BookPage book(String id) {
            var book = items.read(CATALOGUE, id, Book.class);
            var authors = items.readMany(CATALOGUE, book.authors(), Author.class).stream()
                    .map(Author::summary)
                    .sorted(BY_ID)
                    .toList();
            return new BookPage(book.title(), authors);
        }

        @Override
        public AuthorPage author(String id) {
            var author = items.read(CATALOGUE, id, Author.class);
            var count = items.query(
                            CATALOGUE,
                            Integer.class,
                            "SELECT VALUE COUNT(1) FROM b WHERE ARRAY_CONTAINS(b.authors, @author)",
                            new SqlParameter("@author", id))
                    .getFirst();
            return new AuthorPage(author.name(), count, author.images());
        }

        @Override
        public void rename(String authorId, String name) {
            items.patch(CATALOGUE, authorId, CosmosPatchOperations.create().set("/name", name));
        }
    }

    private Hybrid() {}

    static TradeOff measure(Workbench bench) {
        var comparison = bench.compare("hybrid", new WithSummaries(bench), "referenced", new Referenced(bench));
        comparison.prepare(catalogue -> {
            IntStream.range(0, AUTHORS).forEach(number -> catalogue.addAuthor(author(number), "Author " + number));
            IntStream.range(0, BOOKS).forEach(number -> catalogue.addBook("book-" + number, authorsOf(number)));
        });
        comparison.measure(SHOW_BOOK, (catalogue, number) -> catalogue.book("book-" + number % BOOKS));
        comparison.measure(SHOW_AUTHOR, (catalogue, number) -> catalogue.author(author(number % AUTHORS)));
        comparison.measure(
                RENAME,
                (catalogue, number) -> catalogue.rename(author(number % AUTHORS), "Author " + (1_000 + number)),
                (catalogue, number) ->
                        List.of(catalogue.author(author(number % AUTHORS)), catalogue.book("book-" + number % BOOKS)));
        comparison.measure(
                ADD,
                (catalogue, number) -> catalogue.addBook("new-" + (1_000 + number), authorsOf(number)),
                (catalogue, number) ->
                        List.of(catalogue.book("new-" + (1_000 + number)), catalogue.author(author(number % AUTHORS))));
        return comparison.tradeOff();
    }

    private static String author(int number) {
        return "author-" + number;
    }

    private static List<String> authorsOf(int book) {
        return IntStream.range(0, AUTHORS_OF_EACH)
                .mapToObj(i -> author((book + i) % AUTHORS))
                .sorted()
                .toList();
    }

    private static List<Image> images(String authorId) {
        return List.of(
                new Image("thumbnail", "https://images.example.org/" + authorId + "/small.jpg"),
                new Image("profile", "https://images.example.org/" + authorId + "/large.jpg"));
    }

    private static String title(String bookId) {
        return "Title of " + bookId;
    }
}
