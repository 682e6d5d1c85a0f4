// Writes the name of a user into all that the user has in this partition, and answers how much was changed.
function updateUsernames(userId, username) {
  const posts = getContext().getCollection();
  const query = {
    query: "SELECT * FROM p WHERE p.userId = @userId",
    parameters: [{ name: "@userId", value: userId }],
  };
  let changed = 0;
  update();

  function update(continuation) {
    const accepted = posts.queryDocuments(posts.getSelfLink(), query, { continuation }, (error, items, options) => {
      if (error) throw error;
      for (const item of items) {
        // An item that has the name already stays as it is: a change for nothing would wake every consumer again.
        if (item.userUsername === username) continue;
        item.userUsername = username;
        if (!posts.upsertDocument(posts.getSelfLink(), item)) throw new Error("There was no time to write all items.");
        changed++;
      }
      if (options.continuation) {
        update(options.continuation);
      } else {
        getContext().getResponse().setBody(changed);
      }
    });
    if (!accepted) throw new Error("There was no time to find all items.");
  }
}
