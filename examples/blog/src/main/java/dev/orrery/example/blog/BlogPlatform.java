package dev.orrery.example.blog;

import java.util.List;

/**
 * All that can be done with the blog, the same in every data model. Commands may be repeated when no answer came: ids
 * are chosen by the caller, and what is there already is not made twice. An id that something else has is a conflict.
 */
public sealed interface BlogPlatform permits BlogV1, BlogV2, BlogV3 {
    /** How many posts the front page shows at most. */
    int FEED_POSTS_MAX = 100;

    /** C1: creates a user, or changes the name of one. */
    Answer<User> saveUser(User user);

    /** Q1. */
    Answer<User> user(String userId);

    /** C2. */
    Answer<Post> createPost(Post post);

    /** C2, of a post that is there. */
    Answer<String> editPost(String postId, String title, String content);

    /** Q2. */
    Answer<Post> post(String postId);

    /** Q3: all posts of a user in short form, the newest first. */
    Answer<List<Post>> postsOf(String userId);

    /** C3. */
    Answer<Comment> createComment(Comment comment);

    /** Q4: all comments of a post, the oldest first. */
    Answer<List<Comment>> comments(String postId);

    /** C4. */
    Answer<Like> createLike(Like like);

    /** Q5: all likes of a post, the oldest first. */
    Answer<List<Like>> likes(String postId);

    /** Q6: the most recent posts of all users in short form, the newest first. */
    Answer<List<Post>> feed();
}
