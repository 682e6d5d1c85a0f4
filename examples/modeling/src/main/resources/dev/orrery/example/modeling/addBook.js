// Stores a book with a summary of each of its authors, and counts it in all of them: everything or nothing.
function addBook(book, authorIds) {
  const items = getContext().getCollection();
  const summaries = [];
  addAuthor(0);

  // One author after the other, so that the summaries are in the order of the ids.
  function addAuthor(position) {
    if (position === authorIds.length) {
      create();
      return;
    }
    check(
      items.readDocument(`${items.getAltLink()}/docs/${authorIds[position]}`, (error, author) => {
        if (error) throw error;
        const thumbnail = author.images.find((image) => image.kind === "thumbnail");
        summaries.push({ id: author.id, name: author.name, thumbnailUrl: thumbnail.url });
        author.countOfBooks++;
        replace(author, () => addAuthor(position + 1));
      }),
    );
  }

  function replace(author, next) {
    check(
      items.replaceDocument(author._self, author, (error) => {
        if (error) throw error;
        next();
      }),
    );
  }

  function create() {
    book.authors = summaries;
    check(
      items.createDocument(items.getSelfLink(), book, (error) => {
        if (error) throw error;
      }),
    );
  }

  function check(accepted) {
    if (!accepted) throw new Error("There was no time to add the book.");
  }
}
