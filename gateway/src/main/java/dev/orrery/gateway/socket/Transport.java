package dev.orrery.gateway.socket;

import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/** How sockets are driven. */
public enum Transport {
    /** Linux only; saves several microseconds a request. */
    EPOLL,
    /** What every JDK can do. */
    NIO;

    private static final int KEEP_ALIVE_IDLE_SECONDS = 60;
    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 15;
    private static final int KEEP_ALIVE_PROBES = 4;

    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    IoHandlerFactory ioHandlerFactory() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    /** Finds peers that have vanished without a word, or the system would keep their sockets for hours. */
    Map<ChannelOption<Integer>, Integer> keepAlive() {
        return switch (this) {
            case EPOLL ->
                Map.of(
                        EpollChannelOption.TCP_KEEPIDLE,
                        KEEP_ALIVE_IDLE_SECONDS,
                        EpollChannelOption.TCP_KEEPINTVL,
                        KEEP_ALIVE_INTERVAL_SECONDS,
                        EpollChannelOption.TCP_KEEPCNT,
                        KEEP_ALIVE_PROBES);
            case NIO ->
                Map.of(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
                        KEEP_ALIVE_IDLE_SECONDS,
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                        KEEP_ALIVE_INTERVAL_SECONDS,
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT),
                        KEEP_ALIVE_PROBES);
        };
    }

    Class<? extends ServerChannel> serverChannel() {
        return switch (this) {
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }
}
