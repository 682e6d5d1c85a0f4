// Prints one line of JSON for every finished test, for the JUnit test that runs this suite.
export default async function* report(events) {
  for await (const { type, data } of events) {
    if ((type === "test:pass" || type === "test:fail") && data.details?.type !== "suite") {
      const error = data.details?.error;
      yield `${JSON.stringify({
        name: data.name,
        passed: type === "test:pass",
        skipped: data.skip !== undefined,
        error: error ? String(error.cause?.stack ?? error.cause ?? error.stack ?? error) : null,
      })}\n`;
    }
    if (type === "test:stderr" || type === "test:stdout") {
      yield `${JSON.stringify({ output: data.message })}\n`;
    }
  }
}
