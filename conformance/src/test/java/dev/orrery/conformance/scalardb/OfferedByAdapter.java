package dev.orrery.conformance.scalardb;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Skips what ScalarDB's adapter refuses by itself, whatever it speaks to: to rename and to drop columns, for example. */
final class OfferedByAdapter implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        try {
            invocation.proceed();
        } catch (UnsupportedOperationException refused) {
            throw new TestAbortedException(refused.getMessage(), refused);
        }
    }
}
