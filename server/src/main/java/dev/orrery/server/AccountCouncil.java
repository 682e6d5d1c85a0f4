package dev.orrery.server;

import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.region.Charter;
import dev.orrery.region.Council;
import dev.orrery.region.Faults;
import dev.orrery.region.Joining;
import dev.orrery.region.Link;
import dev.orrery.region.LocalCouncil;
import dev.orrery.region.TurningCouncil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The seat of a region or witness in the council of its account. What the account has become since it was founded is kept
 * beside the data, or asked of the other regions at the first start.
 *
 * @param joined to be called when the region has caught up, if it is new to an account that is there already
 */
record AccountCouncil(Council council, Optional<Runnable> joined) {
    /**
     * Takes the seat.
     *
     * @param accountKeys as they are at the moment
     * @param link how other regions are asked
     */
    static AccountCouncil open(
            RegionPlan plan,
            Path data,
            Supplier<AccountKeys> accountKeys,
            Link link,
            Faults faults,
            RandomGenerator random) {
        var file = CharterFile.in(data);
        var marker = data.resolve("joining");
        var charter = file.load();
        boolean isFounder = true;
        charter.ifPresent(known -> CharterFile.demandPlace(known, plan.mine()));
        if (charter.isEmpty()) {
            charter = others(plan, link);
            isFounder = charter.filter(told -> told.version() > 1).isEmpty();
            // Whoever is not the first to write has nothing to show before it has heard of the one that is.
            if (charter.isPresent() || !plan.founding().writeRegion().equals(plan.me())) {
                mark(marker);
            }
        }
        var folder = data.resolve("council");
        var kinds = new TurningCouncil.Kinds() {
            @Override
            public Council byVotes(Charter from, boolean isFounder) {
                return Voting.open(plan, from, isFounder, folder, accountKeys, faults, random);
            }

            @Override
            public Council byHand(Charter from) {
                return new LocalCouncil(plan.me(), from, file::save);
            }

            @Override
            public void forgetVotes() {
                delete(folder);
            }
        };
        var council = new TurningCouncil(
                charter.orElseGet(plan::founding),
                isFounder,
                kinds,
                file::save,
                work -> Thread.ofPlatform().name("council").daemon().start(work));
        return new AccountCouncil(council, Files.exists(marker) ? Optional.of(() -> delete(marker)) : Optional.empty());
    }

    private static Optional<Charter> others(RegionPlan plan, Link link) {
        try {
            return Joining.ask(plan.account(), plan.me(), plan.founding(), link);
        } catch (Joining.NotCountedInException unknown) {
            throw new UserError(unknown.getMessage() + " Count it in first, by a region that is: orrery region add \""
                    + plan.me() + "=" + plan.mine().endpoint() + "\" --endpoint ADDRESS");
        }
    }

    private static void mark(Path marker) {
        try {
            Files.createDirectories(marker.getParent());
            Files.write(marker, new byte[0]);
        } catch (IOException unable) {
            throw new UncheckedIOException("cannot note that this region is new to its account", unable);
        }
    }

    private static void delete(Path place) {
        try {
            NewFolder.delete(place);
        } catch (IOException unable) {
            throw new UncheckedIOException("cannot delete " + place, unable);
        }
    }
}
