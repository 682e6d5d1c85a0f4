// Looks at everything that a script can reach, and tells what it has found; then changes all of it that can be changed.
// Words that would give it a world of its own are put together, so that nobody sees them coming.
function vandal(spoils) {
  const { parse, stringify } = JSON;
  const define = Object["define" + "Property"];
  const describe = Object.getOwnPropertyDescriptor;
  const above = Object["get" + "Prototype" + "Of"];
  const putAbove = Object["set" + "Prototype" + "Of"];
  const keys = Object.getOwnPropertyNames;
  const symbols = Object.getOwnPropertySymbols;
  const same = this;
  const response = getContext().getResponse();
  const sort = [].sort;
  const apply = (0, eval)("Ref" + "lect").apply;
  const nothing = () => undefined;
  const Settled = Promise;
  const { then } = Promise.resolve();

  // What syntax and constructors lead to, then what all of their methods give.
  const samples = [
    [1, 2], "ab", 5, true, Symbol("s"), /x/g, /(?<n>x)/.exec("x"), new Date(0), new Error(1, "x"), new TypeError("x"), new Map([[1, 2]]),
    new Set([1]), new WeakMap(), new WeakSet(), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)), new Uint8Array(2),
    Promise.resolve(1), new Proxy({}, {}), nothing, function () {}, function* () {}, async function () {}, async function* () {},
    (function* () {})(), (async function* () {})(), class {}, (function () { return arguments; })(), ((s) => s)`a${1}b`,
    new (class extends Array {})(), new Boolean(false), new Number(1), new String("s"),
    new Intl.Collator(), new Intl.NumberFormat(), new Intl.PluralRules(), Object(Symbol.iterator), parse("{}"),
    globalThis.Iterator?.from({ next: nothing }), globalThis.Iterator?.from([1]).map(nothing),
  ];
  const values = [["this", same], ["getContext", getContext], ["context", getContext()], ["collection", getContext().getCollection()],
    ["response", response], ["request", getContext().getRequest()], ["__", __], ["console", console],
    ["key", getContext().getCollection().getPartitionKeyDefinition()]];
  for (let i = 0; i < samples.length; i++) {
    values[values.length] = [`sample ${i}`, samples[i]];
    for (let one = samples[i]; one !== null && one !== undefined; one = above(Object(one))) {
      const names = [...keys(Object(one)), ...symbols(Object(one))];
      for (const name of names) {
        if (name === "constructor" || name === "__proto__" || i > 2 * 40) {
          continue;
        }
        try {
          const made = samples[i][name]();
          if (made instanceof Settled) {
            apply(then, made, [nothing, nothing]);
          }
          if (made !== null && typeof made === "object" && samples.length < 400) {
            samples[samples.length] = made;
          }
        } catch {
          // Wants other arguments.
        }
      }
    }
  }

  const seen = new Map();
  const has = seen.has;
  const put = seen.set;
  const queue = [];
  function visit(path, value) {
    if (value !== null && (typeof value === "object" || typeof value === "function") && !apply(has, seen, [value])) {
      apply(put, seen, [value, path]);
      queue[queue.length] = [path, value];
    }
  }
  for (const [path, value] of values) {
    visit(path, value);
  }
  const world = [];
  for (let i = 0; i < queue.length; i++) {
    const [path, object] = queue[i];
    visit(`${path}^`, above(object));
    for (const name of [...keys(object), ...symbols(object)]) {
      const { value, get, set, writable, configurable, enumerable } = describe(object, name);
      const text = typeof value === "function" || (typeof value === "object" && value !== null) ? typeof value : String(value);
      // The clock and chance are others every time.
      world[world.length] = `${path}.${String(name)} ${name === "stack" ? "" : text} ${!!get} ${!!set} ${writable} ${configurable} ${enumerable}`;
      visit(`${path}.${String(name)}`, value);
      visit(`${path}.get ${String(name)}`, get);
      visit(`${path}.set ${String(name)}`, set);
    }
  }
  const told = stringify(world);
  if (spoils) {
    for (let i = 0; i < queue.length; i++) {
      const object = queue[i][1];
      if (object === values || object === queue || object === samples || object === world || object === response) {
        continue;
      }
      const names = [...keys(object), ...symbols(object)];
      for (const change of [
        () => (object.secret = 1),
        () => define(object, "secret", { value: 1, configurable: true }),
        () => define(object, Symbol.for("secret"), { value: 1, configurable: true }),
        () => object !== same && putAbove(object, { secret: 1 }),
      ]) {
        try {
          change();
        } catch {
          // As it should be.
        }
      }
      for (const name of names) {
        try {
          if (object !== same) {
            object[name] = nothing;
          }
        } catch {
          // As it should be.
        }
      }
    }
    for (const name of ["forgotten", "Array", "JSON", "console", "__", "getContext", "Symbol"]) {
      try {
        same[name] = { secret: 1 };
      } catch {
        // As it should be.
      }
    }
  }
  response.setBody(told);
}
