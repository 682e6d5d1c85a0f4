/** A blogging platform in three data models; every request tells what it cost. Begin with {@link BlogPlatform}. */
package dev.orrery.example.blog;
