/**
 * A content-publishing platform over several regions: everybody writes to and reads from the nearest one. Begin with
 * {@link ContentPublishDatabase}.
 */
package dev.orrery.example.publishing;
