package dev.orrery.conformance.server;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Prints what the shared server logged during a test that failed. */
public final class ServerLogOnFailure implements BeforeEachCallback, TestWatcher {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ServerLogOnFailure.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        var server = SharedServer.ifRunning();
        context.getStore(NAMESPACE)
                .put("position", server == null ? 0L : server.log().count());
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        var server = SharedServer.ifRunning();
        if (server != null) {
            var position = context.getStore(NAMESPACE).getOrDefault("position", Long.class, 0L);
            System.out.println(
                    "---- " + (server.isAlive() ? "" : "DEAD ") + "server's log during " + context.getDisplayName());
            System.out.println(server.log().since(position));
            System.out.println("----");
        }
    }
}
