// Writes the name of a user into all that the user has in this partition, and answers how much was changed. The first data
// model has neither names nor counts: where it has written something, the post is counted as well.
function updateUsernames(userId, username) {
  const posts = getContext().getCollection();
  let changed = 0;
  let uncounted;
  find((item) => {
    if (isUncounted(item)) uncounted = item.postId;
    // An item that has the name already stays as it is: a change for nothing would wake every consumer again.
    if (item.userUsername === username) return;
    item.userUsername = username;
    check(posts.upsertDocument(posts.getSelfLink(), item));
    changed++;
  });

  function find(visit, continuation) {
    const query = {
      query: "SELECT * FROM p WHERE p.userId = @userId",
      parameters: [{ name: "@userId", value: userId }],
    };
    ask(query, continuation, (items, next) => {
      items.forEach(visit);
      if (next) {
        find(visit, next);
      } else {
        getContext().getResponse().setBody(changed);
        if (uncounted) count(uncounted);
      }
    });
  }

  // A comment or like without a name was written by somebody who does not count, maybe after others have begun to.
  function isUncounted(item) {
    return item.type === "post"
      ? typeof item.commentCount !== "number" || typeof item.likeCount !== "number"
      : typeof item.userUsername !== "string";
  }

  function count(postId) {
    countAll("comment", (commentCount) => {
      countAll("like", (likeCount) => {
        check(
          posts.readDocument(`${posts.getAltLink()}/docs/${postId}`, (error, post) => {
            if (error && error.number === 404) return; // a comment on nothing
            if (error) throw error;
            if (post.type !== "post") return;
            if (post.commentCount === commentCount && post.likeCount === likeCount) return;
            check(posts.replaceDocument(post._self, { ...post, commentCount, likeCount }));
          }),
        );
      });
    });
  }

  function countAll(type, answer, continuation, before = 0) {
    const query = {
      query: "SELECT VALUE COUNT(1) FROM p WHERE p.type = @type",
      parameters: [{ name: "@type", value: type }],
    };
    ask(query, continuation, (counts, next) => {
      const sum = counts.reduce((a, b) => a + b, before);
      if (next) {
        countAll(type, answer, next, sum);
      } else {
        answer(sum);
      }
    });
  }

  function ask(query, continuation, answer) {
    check(
      posts.queryDocuments(posts.getSelfLink(), query, { continuation }, (error, rows, options) => {
        if (error) throw error;
        answer(rows, options.continuation);
      }),
    );
  }

  function check(accepted) {
    if (!accepted) throw new Error("There was no time to write all items.");
  }
}
