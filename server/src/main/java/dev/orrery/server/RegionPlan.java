package dev.orrery.server;

import dev.orrery.gateway.reply.AccountDescription.Staleness;
import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The account of several regions that a server is one of.
 *
 * @param account its name
 * @param me the name of this region
 * @param members all regions; the first one takes the writes of a new account
 * @param staleness how far regions may be behind at bounded staleness
 * @param trust what certificates other regions may show, instead of those that the runtime trusts
 * @param isMultiWrite whether all regions of a new account take writes of items
 * @param allowsFaults whether links may be cut and delayed on demand
 */
record RegionPlan(
        String account,
        String me,
        List<Member> members,
        Staleness staleness,
        Optional<SSLContext> trust,
        boolean isMultiWrite,
        boolean allowsFaults) {
    RegionPlan {
        members = List.copyOf(members);
    }

    Member mine() {
        return members.stream()
                .filter(member -> member.name().equals(me))
                .findFirst()
                .orElseThrow();
    }

    /** What a new account begins with. */
    Charter founding() {
        return Charter.founding(members, isMultiWrite);
    }
}
