package dev.orrery.model;

/** What a client sees of a failure, and the only place in Orrery where the two meet. */
public record WireStatus(int status, int substatus, String code) {

    public static WireStatus of(Failure failure) {
        return switch (failure) {
            case Failure.BadRequest _ -> new WireStatus(400, 0, "BadRequest");
            case Failure.PartitionKeyMismatch _ -> new WireStatus(400, 1001, "BadRequest");
            case Failure.CrossPartitionDisabled _ -> new WireStatus(400, 0, "BadRequest");
            case Failure.CrossPartitionQuery _ -> new WireStatus(400, 1004, "BadRequest");
            case Failure.IntendedContainerMismatch _ -> new WireStatus(400, 1024, "BadRequest");
            case Failure.QuerySyntax _ -> new WireStatus(400, 0, "BadRequest");
            case Failure.ScriptFailed script -> new WireStatus(400, script.code(), "BadRequest");
            case Failure.ScriptSyntax _ -> new WireStatus(400, 65535, "BadRequest");
            case Failure.Unauthorized _ -> new WireStatus(401, 0, "Unauthorized");
            case Failure.Forbidden _ -> new WireStatus(403, 0, "Forbidden");
            case Failure.WriteForbidden _ -> new WireStatus(403, 3, "Forbidden");
            case Failure.PartitionFull _ -> new WireStatus(403, 1014, "Forbidden");
            case Failure.NotFound _ -> new WireStatus(404, 0, "NotFound");
            case Failure.SessionNotAvailable _ -> new WireStatus(404, 1002, "NotFound");
            case Failure.OwnerNotFound _ -> new WireStatus(404, 1003, "NotFound");
            case Failure.MethodNotAllowed _ -> new WireStatus(405, 0, "MethodNotAllowed");
            case Failure.Timeout _ -> new WireStatus(408, 0, "RequestTimeout");
            case Failure.Conflict _ -> new WireStatus(409, 0, "Conflict");
            case Failure.Gone _ -> new WireStatus(410, 0, "Gone");
            case Failure.PartitionRangeGone _ -> new WireStatus(410, 1002, "Gone");
            case Failure.PreconditionFailed _, Failure.TooCostly _ -> new WireStatus(412, 0, "PreconditionFailed");
            case Failure.TooLarge _ -> new WireStatus(413, 0, "RequestEntityTooLarge");
            case Failure.Misdirected _ -> new WireStatus(421, 0, "MisdirectedRequest");
            case Failure.FailedDependency _ -> new WireStatus(424, 0, "FailedDependency");
            case Failure.Throttled throttled -> new WireStatus(429, substatus(throttled.shortage()), "TooManyRequests");
            case Failure.RetryWith _ -> new WireStatus(449, 0, "RetryWith");
            case Failure.Internal _ -> new WireStatus(500, 0, "InternalServerError");
            case Failure.Unsupported _ -> new WireStatus(501, 0, "NotImplemented");
            case Failure.Unavailable _ -> new WireStatus(503, 0, "ServiceUnavailable");
        };
    }

    /**
     * What a client in Direct mode is told instead. It keeps ranges and containers by itself, and only these two make it
     * ask for them anew whatever the request was.
     */
    public WireStatus inDirectMode() {
        if (status == 400 && substatus == 1024) {
            return new WireStatus(410, 1000, "Gone");
        }
        return status == 410 && substatus == 1002 ? new WireStatus(410, 1007, "Gone") : this;
    }

    private static int substatus(Failure.Shortage shortage) {
        return switch (shortage) {
            case THROUGHPUT -> 3200;
            case BUCKET -> 3212;
            case SCRIPTS -> 3084;
            case MEMORY -> 3092;
        };
    }
}
