package dev.orrery.engine.resource;

import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;

/** Conditions on the version of a resource that a request carries. */
final class Preconditions {
    private Preconditions() {}

    static void demand(Precondition precondition, Resource current) {
        boolean stale = precondition
                .ifMatch()
                .filter(etag -> !etag.equals("*") && !etag.equals(current.etag()))
                .isPresent();
        if (stale) {
            throw new FailureException(new Failure.PreconditionFailed(
                    "The resource has been changed since: its etag is not the one that the request asks for."));
        }
    }
}
