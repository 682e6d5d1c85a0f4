// Keeps the 100 latest posts of the feed.
function trimFeed() {
  const POSTS_MAX = 100;
  const feed = getContext().getCollection();
  const link = feed.getSelfLink();

  feed.queryDocuments(link, "SELECT VALUE COUNT(1) FROM f", (error, counts) => {
    if (error) throw error;
    // A query does not see what its own transaction writes, so the post that has just come is not counted.
    const surplus = counts[0] + 1 - POSTS_MAX;
    if (surplus <= 0) return;
    feed.queryDocuments(link, `SELECT TOP ${surplus} * FROM f ORDER BY f.creationDate`, (error, oldest) => {
      if (error) throw error;
      for (const post of oldest) {
        feed.deleteDocument(post._self);
      }
    });
  });
}
