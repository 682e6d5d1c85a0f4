package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Answer;
import dev.orrery.example.blog.BlogPlatform;
import dev.orrery.example.blog.Version;
import dev.orrery.example.common.DemoException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Holds the answers of all versions against each other. */
final class Agreement {
    private final Map<Version, BlogPlatform> platforms;
    private final StandIn data;
    private final Calls calls;
    private int compared;

    Agreement(Map<Version, BlogPlatform> platforms, StandIn data, Calls calls) {
        this.platforms = new TreeMap<>(platforms);
        this.data = data;
        this.calls = calls;
    }

    /** How many answers were found to be the same. */
    int compared() {
        return compared;
    }

    /** Compares what has been there from the start. */
    void checkLoaded(int samples) {
        for (var request : List.of(Request.Q1, Request.Q2, Request.Q3, Request.Q4, Request.Q5)) {
            for (int i = 0; i < samples; i++) {
                int call = i;
                check(request + " of call " + call, blog -> calls.ask(blog, request, call));
            }
        }
        check("Q6", BlogPlatform::feed);
    }

    /** Compares all that calls may have changed, a sample of it. */
    void checkWritten(int callsMax, int samples) {
        int step = Math.max(1, callsMax / samples);
        for (int i = 0; i < callsMax; i += step) {
            int call = i;
            check("a new user", blog -> blog.user(data.user(data.users() + call).id()));
            checkPost(calls.newPost(call).id());
            checkPost(calls.post(Request.C3, call).id());
            checkPost(calls.post(Request.C4, call).id());
            check(
                    "the posts of somebody who wrote one",
                    blog -> blog.postsOf(data.user(calls.user(Request.C2, call)).id()));
        }
        check("Q6", BlogPlatform::feed);
    }

    private void checkPost(String postId) {
        check("post " + postId, blog -> blog.post(postId));
        check("the comments of " + postId, blog -> blog.comments(postId));
        check("the likes of " + postId, blog -> blog.likes(postId));
    }

    private void check(String what, Function<BlogPlatform, Answer<?>> question) {
        Object first = null;
        for (var platform : platforms.entrySet()) {
            Object answer = question.apply(platform.getValue()).value();
            if (first != null && !answer.equals(first)) {
                throw new DemoException(
                        "%s: %s answers\n  %s\ninstead of\n  %s".formatted(what, platform.getKey(), answer, first));
            }
            first = answer;
        }
        compared++;
    }
}
