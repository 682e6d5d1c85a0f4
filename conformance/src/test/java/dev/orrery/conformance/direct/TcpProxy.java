package dev.orrery.conformance.direct;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries connections on from one address and port to another, as a port mapping does. */
final class TcpProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final InetSocketAddress to;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** From a port of an address, or any free one for 0. */
    TcpProxy(String host, int port, int to) throws IOException {
        this.listener = new ServerSocket();
        this.to = new InetSocketAddress(InetAddress.getLoopbackAddress(), to);
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(host, port));
        Thread.ofPlatform().daemon().start(this::listen);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many it has carried. */
    int connections() {
        return connections.get();
    }

    private void listen() {
        try {
            while (true) {
                var client = listener.accept();
                var server = new Socket();
                sockets.add(client);
                sockets.add(server);
                server.connect(to);
                connections.incrementAndGet();
                carry(client, server);
                carry(server, client);
            }
        } catch (IOException _) {
            close();
        }
    }

    private static void carry(Socket from, Socket to) {
        Thread.ofPlatform().daemon().start(() -> {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException _) {
                // One of both has left; now the other does as well.
            }
        });
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (var socket : sockets) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
