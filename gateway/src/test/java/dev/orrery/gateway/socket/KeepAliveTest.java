package dev.orrery.gateway.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeepAliveTest {
    @ParameterizedTest
    @EnumSource
    void aPeerThatHasVanishedIsFoundInMinutes(Transport transport) throws IOException {
        assumeThat(transport == Transport.NIO || Epoll.isAvailable()).isTrue();
        var told = new CompletableFuture<Map<String, Object>>();
        var server = new SocketServer(transport, "keep-alive", (channel, _) -> {
            told.complete(byName(channel.config().getOptions()));
            var _ = channel.close();
        });
        try {
            server.listen("127.0.0.1", 0);
            try (var client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertThat(client.getInputStream().read()).isNegative();
            }
            assertThat(transport.keepAlive()).hasSize(3);
            assertThat(told.join()).containsAllEntriesOf(byName(transport.keepAlive()));
        } finally {
            server.close(new Object(), Duration.ZERO);
        }
    }

    /** As Java and Netty have options of the same names. */
    private static Map<String, Object> byName(Map<? extends ChannelOption<?>, ?> options) {
        var named = new HashMap<String, Object>();
        options.forEach((option, value) -> named.put(option.name(), value));
        return named;
    }
}
