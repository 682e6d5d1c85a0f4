package dev.orrery.server;

import dev.orrery.gateway.auth.AccountKeys;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys that count now. Those in files can be replaced while the server runs, and bad ones leave the old in force. */
final class LiveKeys implements Supplier<AccountKeys> {
    private static final Logger LOG = LoggerFactory.getLogger(LiveKeys.class);

    private final Settings settings;
    private volatile AccountKeys current;

    LiveKeys(Settings settings) {
        this.settings = settings;
        this.current = settings.readKeys();
    }

    void follow(ScheduledExecutorService timer) {
        WatchedFiles.follow(settings.keySources().files(), this::readAnew, timer);
    }

    private void readAnew() {
        try {
            var read = settings.readKeys();
            if (!read.equals(current)) {
                current = read;
                LOG.info("The keys of the account have been read anew");
            }
        } catch (UserError mistake) {
            LOG.error("The keys stay as they were: {}", mistake.getMessage());
        }
    }

    @Override
    public AccountKeys get() {
        return current;
    }

    /**
     * What permission tokens are signed with: the first signs, all prove. A token outlives a restart, and the change of the
     * primary key as long as the old one is the secondary.
     */
    List<byte[]> tokenSecrets() {
        var keys = current;
        return Stream.of(Optional.of(keys.primary()), keys.secondary())
                .flatMap(Optional::stream)
                .map(Base64.getDecoder()::decode)
                .toList();
    }
}
