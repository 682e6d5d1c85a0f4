package dev.orrery.gateway.direct;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which copy of what a client means: the path of an address that the address feed has told it, which it sends back with
 * every request. {@code /apps/orrery/services/CONTAINER/partitions/RANGE/replicas/NUMBER(p|s)}; the container is its
 * rid, and the account has neither.
 *
 * @param containerRid empty for the account
 * @param range id of the range, empty for the account
 */
record ReplicaPath(String containerRid, String range, int number) {
    /** What a client that names no copy means, and what lists of databases and the like come from. */
    static final ReplicaPath ACCOUNT = new ReplicaPath("", "", 1);

    private static final int PRIMARY = 1;
    private static final String ACCOUNT_NAME = "account";
    private static final Pattern FORM =
            Pattern.compile("/apps/orrery/services/([^/]+)/partitions/([^/]*)/replicas/([1-9])[ps]/*");

    /** A path that is none of ours is that of the account: it promises nothing. */
    static ReplicaPath parse(String path) {
        var form = FORM.matcher(path);
        if (!form.matches() || form.group(1).equals(ACCOUNT_NAME)) {
            return ACCOUNT;
        }
        return new ReplicaPath(form.group(1), form.group(2), Integer.parseInt(form.group(3)));
    }

    boolean isPrimary() {
        return number == PRIMARY;
    }

    boolean isAccount() {
        return containerRid.isEmpty();
    }

    Optional<String> rangeOfContainer() {
        return isAccount() ? Optional.empty() : Optional.of(range);
    }

    @Override
    public String toString() {
        return "/apps/orrery/services/" + (isAccount() ? ACCOUNT_NAME : containerRid) + "/partitions/"
                + (isAccount() ? "0" : range) + "/replicas/" + number + (isPrimary() ? "p" : "s") + "/";
    }
}
