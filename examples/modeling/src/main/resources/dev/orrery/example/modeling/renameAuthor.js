// Gives an author another name, also in the summaries that books have: everywhere or nowhere.
function renameAuthor(authorId, name) {
  const items = getContext().getCollection();
  const query = {
    query:
      "SELECT * FROM b WHERE b.type = 'book' AND EXISTS(SELECT VALUE a FROM a IN b.authors WHERE a.id = @authorId)",
    parameters: [{ name: "@authorId", value: authorId }],
  };

  check(
    items.readDocument(`${items.getAltLink()}/docs/${authorId}`, (error, author) => {
      if (error) throw error;
      author.name = name;
      replace(author);
      renameInBooks();
    }),
  );

  function renameInBooks(continuation) {
    check(
      items.queryDocuments(items.getSelfLink(), query, { continuation }, (error, books, options) => {
        if (error) throw error;
        for (const book of books) {
          for (const summary of book.authors) {
            if (summary.id === authorId) summary.name = name;
          }
          replace(book);
        }
        if (options.continuation) renameInBooks(options.continuation);
      }),
    );
  }

  function replace(item) {
    check(
      items.replaceDocument(item._self, item, (error) => {
        if (error) throw error;
      }),
    );
  }

  function check(accepted) {
    if (!accepted) throw new Error("There was no time to rename the author everywhere.");
  }
}
