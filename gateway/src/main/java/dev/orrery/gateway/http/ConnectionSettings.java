package dev.orrery.gateway.http;

/** What all connections of a server share. */
record ConnectionSettings(HttpHandler handler, HttpLimits limits, BodyBudget bodyBudget, ReplyDate date) {}
