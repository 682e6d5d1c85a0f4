package dev.orrery.example.modeling;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.SqlParameter;
import java.util.List;
import java.util.stream.IntStream;

/** Authors of several books and books of several authors: ids on both sides, or items between them. */
final class ManyToMany {
    static final String BOOKS_OF = "list the books of an author";
    static final String AUTHORS_OF = "list the authors of a book";
    static final String LINK = "link an author and a book";

    private static final int AUTHORS = 20;
    private static final int BOOKS_OF_EACH = 5;
    private static final int AUTHORS_OF_EACH = 2;
    private static final int BOOKS = AUTHORS * BOOKS_OF_EACH / AUTHORS_OF_EACH;

    interface Library {
        void addAuthor(String id);

        void addBook(String id);

        void link(String authorId, String bookId);

        /** The titles, sorted. */
        List<String> booksOf(String authorId);

        /** The names, sorted. */
        List<String> authorsOf(String bookId);
    }

    /** An author has the ids of the books, and a book those of its authors. */
    static final class IdsOnBothSides implements Library {
        private record AuthorWithBooks(String id, String name, List<String> books) {}

        private record BookWithAuthors(String id, String title, List<String> authors) {}

        private final Container authors;
        private final Container books;

        IdsOnBothSides(Workbench bench) {
            authors = bench.container("authorsWithBooks", "/id");
            books = bench.container("booksWithAuthors", "/id");
        }

        @Override
        public void addAuthor(String id) {
            authors.create(id, new AuthorWithBooks(id, name(id), List.of()));
        }

        @Override
        public void addBook(String id) {
            books.create(id, new BookWithAuthors(id, title(id), List.of()));
        }

        @Override
        public void link(String authorId, String bookId) {
            authors.patch(authorId, authorId, CosmosPatchOperations.create().add("/books/-", bookId));
            books.patch(bookId, bookId, CosmosPatchOperations.create().add("/authors/-", authorId));
        }

        @Override
        public List<String> booksOf(String authorId) {
            var ids = authors.read(authorId, authorId, AuthorWithBooks.class).books();
            return books.readMany(ids, BookWithAuthors.class).stream()
                    .map(BookWithAuthors::title)
                    .sorted()
                    .toList();
        }

        @Override
        public List<String> authorsOf(String bookId) {
            var ids = books.read(bookId, bookId, BookWithAuthors.class).authors();
            return authors.readMany(ids, AuthorWithBooks.class).stream()
                    .map(AuthorWithBooks::name)
                    .sorted()
                    .toList();
        }
    }

    /** An item says that an author has to do with a book. It lies with others of the author. */
    static final class JoiningItems implements Library {
        private record Author(String id, String name) {}

        private record Book(String id, String title) {}

        private record Link(String id, String authorId, String bookId) {}

        private final Container authors;
        private final Container books;
        private final Container links;

        JoiningItems(Workbench bench) {
            authors = bench.container("authors", "/id");
            books = bench.container("books", "/id");
            links = bench.container("links", "/authorId");
        }

        @Override
        public void addAuthor(String id) {
            authors.create(id, new Author(id, name(id)));
        }

        @Override
        public void addBook(String id) {
            books.create(id, new Book(id, title(id)));
        }

        @Override
        public void link(String authorId, String bookId) {
            links.create(authorId, new Link(authorId + "-" + bookId, authorId, bookId));
        }

        @Override
        public List<String> booksOf(String authorId) {
            var ids = links.query(authorId, String.class, "SELECT VALUE l.bookId FROM l");
            return books.readMany(ids, Book.class).stream()
                    .map(Book::title)
                    .sorted()
                    .toList();
        }

        @Override
        public List<String> authorsOf(String bookId) {
            var ids = links.queryAll(
                    String.class,
                    "SELECT VALUE l.authorId FROM l WHERE l.bookId = @bookId",
                    new SqlParameter("@bookId", bookId));
            return authors.readMany(ids, Author.class).stream()
                    .map(Author::name)
                    .sorted()
                    .toList();
        }
    }

    private ManyToMany() {}

    static TradeOff measure(Workbench bench) {
        var comparison = bench.compare("arrays", new IdsOnBothSides(bench), "joining items", new JoiningItems(bench));
        comparison.prepare(library -> fill(library, comparison.numbers()));
        comparison.measure(BOOKS_OF, (library, number) -> library.booksOf(id("author", number % AUTHORS)));
        comparison.measure(AUTHORS_OF, (library, number) -> library.authorsOf(id("book", number % BOOKS)));
        comparison.measure(
                LINK,
                (library, number) -> library.link(id("new-author", number), id("new-book", number)),
                (library, number) ->
                        List.of(library.booksOf(id("new-author", number)), library.authorsOf(id("new-book", number))));
        return comparison.tradeOff();
    }

    /** @param unlinked so many authors and books that have nothing to do with anything yet */
    private static void fill(Library library, int unlinked) {
        IntStream.range(0, AUTHORS).forEach(number -> library.addAuthor(id("author", number)));
        for (int book = 0; book < BOOKS; book++) {
            library.addBook(id("book", book));
            for (int i = 0; i < AUTHORS_OF_EACH; i++) {
                library.link(id("author", (book + i) % AUTHORS), id("book", book));
            }
        }
        for (int number = 0; number < unlinked; number++) {
            library.addAuthor(id("new-author", number));
            library.addBook(id("new-book", number));
        }
    }

    private static String id(String kind, int number) {
        return kind + "-" + (1_000 + number);
    }

    private static String name(String authorId) {
        return "Name of " + authorId;
    }

    private static String title(String bookId) {
        return "Title of " + bookId;
    }
}
