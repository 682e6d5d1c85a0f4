// Adds a comment to a post of the same partition, and counts it there: both or neither.
function createComment(postId, comment) {
  const collection = getContext().getCollection();

  demand(collection.readDocument(`${collection.getAltLink()}/docs/${postId}`, count));

  function count(error, post) {
    if (error) throw error;
    post.commentCount++;
    demand(collection.replaceDocument(post._self, post, add));
  }

  function add(error) {
    if (error) throw error;
    comment.postId = postId;
    demand(collection.createDocument(collection.getSelfLink(), comment));
  }

  function demand(accepted) {
    if (!accepted) throw new Error("There is no time left for the comment.");
  }
}
