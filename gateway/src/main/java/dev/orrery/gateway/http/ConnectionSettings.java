package dev.orrery.gateway.http;

import java.util.function.LongSupplier;

/** What all connections of a server share. */
record ConnectionSettings(
        HttpHandler handler, HttpLimits limits, BodyBudget bodyBudget, ReplyDate date, LongSupplier nanos) {}
