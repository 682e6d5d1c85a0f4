// Stores a comment and counts it in its post: both or nothing. A comment that is there already is not counted again,
// so that a client that has heard no answer may just ask once more.
function createComment(postId, comment) {
  const posts = getContext().getCollection();

  check(
    posts.readDocument(link(postId), (error, post) => {
      if (error) throw error;
      check(
        posts.createDocument(posts.getSelfLink(), comment, (error) => {
          if (error && error.number === 409) return compare(error);
          if (error) throw error;
          count(post);
        }),
      );
    }),
  );

  // Another item with the same id is no earlier attempt. The name is not compared: a rename may have changed it since.
  function compare(conflict) {
    check(
      posts.readDocument(link(comment.id), (error, stored) => {
        if (error) throw error;
        const others = Object.keys(comment).filter((name) => stored[name] !== comment[name]);
        if (others.some((name) => name !== "userUsername")) throw conflict;
      }),
    );
  }

  function count(post) {
    if (typeof post.commentCount === "number") {
      store(post, post.commentCount + 1);
    } else {
      // The first data model has not counted.
      countOthers((others) => store(post, others + 1));
    }
  }

  function store(post, commentCount) {
    post.commentCount = commentCount;
    check(
      posts.replaceDocument(post._self, post, (error) => {
        if (error) throw error;
      }),
    );
  }

  // Whether a query sees the comment that has just been written is not the same everywhere, so it is left out.
  function countOthers(answer, continuation, before = 0) {
    const query = {
      query: "SELECT VALUE COUNT(1) FROM p WHERE p.type = 'comment' AND p.id != @written",
      parameters: [{ name: "@written", value: comment.id }],
    };
    check(
      posts.queryDocuments(posts.getSelfLink(), query, { continuation }, (error, counts, options) => {
        if (error) throw error;
        const sum = counts.reduce((a, b) => a + b, before);
        if (options.continuation) {
          countOthers(answer, options.continuation, sum);
        } else {
          answer(sum);
        }
      }),
    );
  }

  function link(id) {
    return `${posts.getAltLink()}/docs/${id}`;
  }

  function check(accepted) {
    if (!accepted) throw new Error("There was no time to store the comment and count it.");
  }
}
