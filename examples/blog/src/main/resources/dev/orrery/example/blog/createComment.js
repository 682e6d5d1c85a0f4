// Stores a comment and counts it in its post: both or nothing. A comment that is there already is not counted again,
// so that a client that has heard no answer may just ask once more.
function createComment(postId, comment) {
  const posts = getContext().getCollection();

  const accepted = posts.readDocument(`${posts.getAltLink()}/docs/${postId}`, (error, post) => {
    if (error) throw error;
    posts.createDocument(posts.getSelfLink(), comment, (error) => {
      if (error && error.number === 409) return;
      if (error) throw error;
      post.commentCount++;
      posts.replaceDocument(post._self, post, (error) => {
        if (error) throw error;
      });
    });
  });
  if (!accepted) throw new Error("There was no time to read the post.");
}
