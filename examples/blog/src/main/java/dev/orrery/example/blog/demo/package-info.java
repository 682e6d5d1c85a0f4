/** Loads the platform in all versions, asks all requests many times, and prints what they took. */
package dev.orrery.example.blog.demo;
