// Removes a publisher, unless it has books.
function removePublisher(pubId) {
  const items = getContext().getCollection();
  const query = "SELECT TOP 1 VALUE b.id FROM b WHERE b.type = 'book'";

  const accepted = items.queryDocuments(items.getSelfLink(), query, (error, books) => {
    if (error) throw error;
    if (books.length > 0) throw new Error(`The publisher ${pubId} still has books.`);
    const deleting = items.deleteDocument(`${items.getAltLink()}/docs/${pubId}`, (error) => {
      if (error) throw error;
    });
    if (!deleting) throw new Error("There was no time to remove the publisher.");
  });
  if (!accepted) throw new Error("There was no time to look for books.");
}
