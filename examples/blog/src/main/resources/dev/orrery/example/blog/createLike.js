// Stores a like and counts it in its post: both or nothing. A like that is there already is not counted again,
// so that a client that has heard no answer may just ask once more.
function createLike(postId, like) {
  const posts = getContext().getCollection();

  check(
    posts.readDocument(`${posts.getAltLink()}/docs/${postId}`, (error, post) => {
      if (error) throw error;
      check(
        posts.createDocument(posts.getSelfLink(), like, (error) => {
          if (error && error.number === 409) return;
          if (error) throw error;
          count(post);
        }),
      );
    }),
  );

  function count(post) {
    post.likeCount++;
    check(
      posts.replaceDocument(post._self, post, (error) => {
        if (error) throw error;
      }),
    );
  }

  function check(accepted) {
    if (!accepted) throw new Error("There was no time to store the like and count it.");
  }
}
