package dev.orrery.example.blog.demo;

/** How the views of V3 are filled. */
enum Views {
    /** By the consumers, which read the change feed from its beginning. */
    REPLAY,
    /** In bulk, with just what consumers would have written. */
    BULK
}
