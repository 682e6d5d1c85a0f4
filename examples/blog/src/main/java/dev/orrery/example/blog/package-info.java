/** A blogging platform in three data models; every request tells what it cost. */
package dev.orrery.example.blog;
