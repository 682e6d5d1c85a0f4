// Stores a like and counts it in its post: both or nothing. A like that is there already is not counted again,
// so that a client that has heard no answer may just ask once more.
function createLike(postId, like) {
  const posts = getContext().getCollection();

  check(
    posts.readDocument(link(postId), (error, post) => {
      if (error) throw error;
      check(
        posts.createDocument(posts.getSelfLink(), like, (error) => {
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
      posts.readDocument(link(like.id), (error, stored) => {
        if (error) throw error;
        const others = Object.keys(like).filter((name) => stored[name] !== like[name]);
        if (others.some((name) => name !== "userUsername")) throw conflict;
      }),
    );
  }

  function count(post) {
    if (typeof post.likeCount === "number") {
      store(post, post.likeCount + 1);
    } else {
      // The first data model has not counted.
      countOthers((others) => store(post, others + 1));
    }
  }

  function store(post, likeCount) {
    post.likeCount = likeCount;
    check(
      posts.replaceDocument(post._self, post, (error) => {
        if (error) throw error;
      }),
    );
  }

  // Whether a query sees the like that has just been written is not the same everywhere, so it is left out.
  function countOthers(answer, continuation, before = 0) {
    const query = {
      query: "SELECT VALUE COUNT(1) FROM p WHERE p.type = 'like' AND p.id != @written",
      parameters: [{ name: "@written", value: like.id }],
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
    if (!accepted) throw new Error("There was no time to store the like and count it.");
  }
}
