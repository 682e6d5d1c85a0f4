/**
 * Runs the platform in several regions, takes one of them away and brings it back, and tells what everybody saw. Begin
 * with {@link PublishingDemo}.
 */
package dev.orrery.example.publishing.demo;
