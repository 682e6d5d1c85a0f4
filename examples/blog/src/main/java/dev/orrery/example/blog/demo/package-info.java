/**
 * Loads the platform in all versions, asks all requests many times, and prints what they took. Begin with {@link BlogDemo}.
 */
package dev.orrery.example.blog.demo;
