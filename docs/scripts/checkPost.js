// Refuses a post without a title, and gives a new one what clients need not send.
function checkPost() {
  const request = getContext().getRequest();
  const post = request.getBody();
  if (!post.title) {
    throw new Error(ErrorCodes.BadRequest, "A post needs a title.");
  }
  request.setBody({ ...post, type: "post", commentCount: 0, likeCount: 0, creationDate: new Date().toISOString() });
}
