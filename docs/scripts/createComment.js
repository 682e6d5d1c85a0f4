// Stores a comment and counts it in its post: both or nothing.
function createComment(postId, comment) {
  const posts = getContext().getCollection();

  const accepted = posts.readDocument(`${posts.getAltLink()}/docs/${postId}`, (error, post) => {
    if (error) throw error;
    post.commentCount++;
    posts.replaceDocument(post._self, post, (error) => {
      if (error) throw error;
      const item = { ...comment, type: "comment", postId };
      posts.createDocument(posts.getSelfLink(), item, (error, created) => {
        if (error) throw error;
        console.log(`comment ${created.id} of ${postId}`);
        getContext().getResponse().setBody({ id: created.id, commentCount: post.commentCount });
      });
    });
  });
  if (!accepted) throw new Error(ErrorCodes.RetryWith, "There was no time to read the post.");
}
