// Freezes all that scripts share, so that a realm can serve one run after another and no run finds anything of those before
// it. Evaluates to a function to call once, after everything else, with what scripts are given besides the globals and with a
// function that lets go of a run; what it gives back is to be called between two runs.
(function (shared, forget) {
  "use strict";

  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Object;
  const { apply, deleteProperty, ownKeys } = Reflect;
  const NativeError = TypeError;
  const hasOwn = Object.prototype.hasOwnProperty;

  // What only syntax or a call leads to. A test calls every method there is and finds what is missing here.
  const roots = [
    globalThis,
    function* () {},
    async function () {},
    async function* () {},
    (function () {
      return arguments;
    })(),
    [][Symbol.iterator](),
    ""[Symbol.iterator](),
    "".matchAll(/./g),
    new Map().keys(),
    new Set().keys(),
    globalThis.Iterator?.from({ next() {} }),
    globalThis.Iterator?.from([]).map((each) => each),
  ];

  const found = new Set();
  function visit(value) {
    if (value !== null && (typeof value === "object" || typeof value === "function")) {
      found.add(value); // A set goes on to what is added while it is walked.
    }
  }
  roots.forEach(visit);
  shared.forEach(visit);
  for (const object of found) {
    visit(getPrototypeOf(object));
    for (const name of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, name);
      visit(value);
      visit(get);
      visit(set);
    }
  }

  // An object cannot be given a property by assignment when the one that it inherits is read-only. Scripts do that to
  // these, above all to errors, so they become pairs of functions that let them.
  const ASSIGNED = new Set(["constructor", "toString", "toLocaleString", "valueOf", "toJSON"]);
  const ERRORS = NativeError.prototype.__proto__;
  for (const object of found) {
    const everything =
      object === Object.prototype || object === Function.prototype || object === ERRORS || ERRORS.isPrototypeOf(object);
    const isPrototype = hasOwn.call(object, "constructor") && object.constructor?.prototype === object;
    if (!everything && !isPrototype) {
      continue;
    }
    for (const name of ownKeys(object)) {
      const property = getOwnPropertyDescriptor(object, name);
      if (property.configurable && property.writable && (everything || ASSIGNED.has(name))) {
        letOthersAssign(object, name, property);
      }
    }
  }

  function letOthersAssign(object, name, { value, enumerable }) {
    const pair = {
      get() {
        return value;
      },
      set(given) {
        if (this === object) {
          throw new NativeError(`"${String(name)}" belongs to all scripts and cannot be changed.`);
        }
        defineProperty(this, name, { value: given, writable: true, enumerable: true, configurable: true });
      },
    };
    freeze(pair.get);
    freeze(pair.set);
    defineProperty(object, name, { get: pair.get, set: pair.set, enumerable, configurable: false });
  }

  // The global object stays open: a script that forgets to declare a variable makes it a global one.
  found.delete(globalThis);
  found.forEach(freeze);
  const names = ownKeys(globalThis);
  for (const name of names) {
    const property = getOwnPropertyDescriptor(globalThis, name);
    defineProperty(globalThis, name, "value" in property ? { writable: false, configurable: false } : { configurable: false });
  }
  const own = new Set(names);
  const has = own.has;
  const count = names.length;
  const above = getPrototypeOf(globalThis);

  /** Takes away the globals that a run has added; false when it has done what cannot be undone. */
  return function restore() {
    forget();
    const now = ownKeys(globalThis);
    if (now.length !== count) {
      for (let i = 0; i < now.length; i++) {
        if (!apply(has, own, [now[i]]) && !deleteProperty(globalThis, now[i])) {
          return false;
        }
      }
    }
    return isExtensible(globalThis) && getPrototypeOf(globalThis) === above;
  };
});
