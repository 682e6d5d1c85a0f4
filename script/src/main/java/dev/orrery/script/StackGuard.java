package dev.orrery.script;

import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.instrumentation.ExecutionEventNode;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.StandardTags.CallTag;
import com.oracle.truffle.api.instrumentation.StandardTags.RootTag;
import com.oracle.truffle.api.instrumentation.StandardTags.TryBlockTag;
import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.instrumentation.provider.TruffleInstrumentProvider;
import java.util.Collection;
import java.util.List;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;

/**
 * Ends a script that has used up its stack, before it can catch that. One that goes on at the end of its stack, as with
 * {@code function f() { try { f() } finally { f() } }}, could not be ended any more: the engine ends a script by a call on
 * its thread, for which there is no room.
 */
public final class StackGuard extends TruffleInstrument {
    private static final String ID = "orrery-stack-guard";

    /** No exception of JavaScript, so no script can catch it, and nothing of a script runs on the way up. */
    private static final class StackUsedUp extends Error {
        private static final long serialVersionUID = 1;

        private StackUsedUp() {
            super("the stack is used up", null, false, false);
        }
    }

    private static final class Guard extends ExecutionEventNode {
        private final StackUsedUp usedUp;

        private Guard(StackUsedUp usedUp) {
            this.usedUp = usedUp;
        }

        @Override
        protected void onReturnExceptional(VirtualFrame frame, Throwable thrown) {
            if (thrown instanceof StackOverflowError) {
                throw usedUp;
            }
        }
    }

    /** How the engine finds it. */
    @Registration(id = ID, name = "Stack guard", services = StackGuard.class)
    public static final class Provider extends TruffleInstrumentProvider {
        @Override
        protected String getInstrumentClassName() {
            return StackGuard.class.getName();
        }

        @Override
        protected Object create() {
            return new StackGuard();
        }

        @Override
        protected Collection<String> getServicesClassNames() {
            return List.of(StackGuard.class.getName());
        }
    }

    @Override
    protected void onCreate(Env env) {
        // Wherever a script, or the promise of an asynchronous function, could catch something or do more before it
        // goes on.
        var places = SourceSectionFilter.newBuilder()
                .tagIs(RootTag.class, CallTag.class, TryBlockTag.class)
                .build();
        var usedUp = new StackUsedUp(); // At the end of the stack there is no room to make one, or to load its class.
        env.getInstrumenter().attachExecutionEventFactory(places, _ -> new Guard(usedUp));
        env.registerService(this);
    }

    /** Watches over all scripts of an engine. */
    static void guard(Engine engine) {
        if (engine.getInstruments().get(ID).lookup(StackGuard.class) == null) {
            throw new IllegalStateException("the stack guard is not there");
        }
    }

    /** Whether this is what became of a script. */
    static boolean hasEnded(PolyglotException problem) {
        return problem.isInternalError() && problem.getMessage().startsWith(StackUsedUp.class.getName());
    }
}
