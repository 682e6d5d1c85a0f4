package dev.orrery.region;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a region that has no charter yet learns the one that is in force, if its account is there already. */
public final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

    private Joining() {}

    /** The others answer, and do not count this region in. */
    public static final class NotCountedInException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotCountedInException(String message) {
            super(message);
        }
    }

    /**
     * Asks the others that are told at the start; nothing when none of them answers.
     *
     * @param me the name of this region
     * @param founding what this region would begin with
     */
    public static Optional<Charter> ask(String account, String me, Charter founding, Link link) {
        List<Charter> told = founding.members().stream()
                .filter(member -> !member.name().equals(me) && !member.isWitness())
                .flatMap(member -> ask(account, me, founding, link, member).stream())
                .toList();
        var last = told.stream().reduce((one, other) -> other.isLaterThan(one) ? other : one);
        if (last.isPresent() && last.get().find(me).isEmpty()) {
            throw new NotCountedInException("The account '" + account + "' has the regions "
                    + String.join(
                            ", ",
                            last.get().members().stream().map(Member::name).toList()) + ", and '" + me
                    + "' is none of them.");
        }
        return last;
    }

    private static Optional<Charter> ask(String account, String me, Charter founding, Link link, Member member) {
        try {
            var question = new Envelope(account, me, founding, new Message.Greeting());
            var answer = Envelope.decode(
                    link.send(member, question.encode()).toCompletableFuture().join());
            if (answer.account().equals(account)) {
                return Optional.of(answer.charter());
            }
            LOG.warn("{} belongs to the account '{}', not to '{}'", member.name(), answer.account(), account);
        } catch (Envelope.UnreadableException unreadable) {
            LOG.warn("{} is not understood: {}", member.name(), unreadable.getMessage());
        } catch (CompletionException away) {
            if (away.getCause() instanceof IOException) {
                LOG.debug("{} does not answer", member.name(), away);
            } else {
                LOG.warn(
                        "{} refuses to speak with this region: {}",
                        member.name(),
                        away.getCause().getMessage());
            }
        }
        return Optional.empty();
    }
}
