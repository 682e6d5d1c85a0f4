// Lets a book in only if its publisher is there, in the partition that both share.
function checkPublisher() {
  const items = getContext().getCollection();
  const book = getContext().getRequest().getBody();

  const accepted = items.readDocument(`${items.getAltLink()}/docs/${book.pubId}`, (error) => {
    if (error && error.number === 404) throw new Error(`There is no publisher ${book.pubId}.`);
    if (error) throw error;
  });
  if (!accepted) throw new Error("There was no time to look for the publisher.");
}
