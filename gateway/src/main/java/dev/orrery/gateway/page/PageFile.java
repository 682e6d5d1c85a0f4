package dev.orrery.gateway.page;

/**
 * A file of a web page.
 *
 * @param lasting whether its address changes whenever it does, so that a browser need never ask for it again
 */
@SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
public record PageFile(String contentType, byte[] content, boolean lasting) {}
