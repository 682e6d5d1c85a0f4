// Keeps the 100 latest posts of the feed.
function truncateFeed() {
  const POSTS_MAX = 100;
  const feed = getContext().getCollection();
  const written = getContext().getResponse().getBody();
  // Whether a query sees the post that has just been written is not the same everywhere, so it is counted by hand.
  const others = (select, rest) => ({
    query: `SELECT ${select} FROM f WHERE f.id != @written ${rest}`,
    parameters: [{ name: "@written", value: written.id }],
  });

  ask(others("VALUE COUNT(1)", ""), (counts) => {
    const surplus = counts[0] + 1 - POSTS_MAX;
    if (surplus <= 0) return;
    ask(others(`TOP ${surplus} *`, "ORDER BY f.creationDate"), (oldest) => {
      const byAge = [...oldest, written].sort((a, b) => (a.creationDate < b.creationDate ? -1 : 1));
      for (const post of byAge.slice(0, surplus)) {
        if (!feed.deleteDocument(post._self)) throw new Error("There was no time to delete the oldest posts.");
      }
    });
  });

  function ask(query, answer) {
    const accepted = feed.queryDocuments(feed.getSelfLink(), query, (error, rows) => {
      if (error) throw error;
      answer(rows);
    });
    if (!accepted) throw new Error("There was no time to look at the feed.");
  }
}
