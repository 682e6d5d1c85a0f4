// Takes away what would let a script use up the machine before anybody could object, or outlive its run. Evaluates to a
// function to call once.
(function () {
  "use strict";

  const { defineProperty } = Object;
  const { apply, construct } = Reflect;
  const { floor } = Math;
  const { iterator } = Symbol;
  const NativeArray = Array;
  const NativeArrayFrom = Array.from;

  // Memory that is taken in one piece would be gone before anybody could object.
  const BYTES_MAX = 16 * 1024 * 1024;
  function demandBytes(size) {
    if (size > BYTES_MAX) {
      throw new RangeError(`A buffer of a script may have ${BYTES_MAX} bytes.`);
    }
  }
  for (const name of [
    "ArrayBuffer",
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
  ]) {
    const Native = globalThis[name];
    if (Native === undefined) {
      continue;
    }
    const each = Native.BYTES_PER_ELEMENT ?? 1;
    const Bounded = new Proxy(Native, {
      construct(target, given, wanted) {
        const size = given[0];
        demandBytes(each * (size !== null && typeof size === "object" ? +size.length || 0 : +size || 0));
        return construct(target, name === "ArrayBuffer" ? [size] : given, wanted);
      },
    });
    defineProperty(Native.prototype, "constructor", { value: Bounded, writable: true, configurable: true });
    defineProperty(globalThis, name, { value: Bounded, writable: true, configurable: true, enumerable: false });
  }
  for (const name of ["resize", "transfer", "transferToFixedLength"]) {
    delete ArrayBuffer.prototype[name];
  }
  delete globalThis.Atomics;

  // Their callbacks would run in the midst of a later run, and tell it what the first one knew.
  delete globalThis.FinalizationRegistry;
  delete globalThis.WeakRef;
  // Makes objects whose prototypes nothing else leads to. The service has never had it.
  delete globalThis.Intl?.Segmenter;

  // The native one cannot be interrupted while it makes an array of a length that somebody made up.
  defineProperty(Array, "from", {
    value: function from(source, map, self) {
      if (source === null || source === undefined || source[iterator] !== undefined || !(source.length > 100_000)) {
        return apply(NativeArrayFrom, this, map === undefined ? [source] : [source, map, self]);
      }
      const made = typeof this === "function" && this !== NativeArray ? new this() : [];
      const length = floor(+source.length);
      for (let i = 0; i < length; i++) {
        made[i] = map === undefined ? source[i] : apply(map, self, [source[i], i]);
      }
      return made;
    },
    writable: true,
    configurable: true,
  });

  // Nor can most methods of arrays, which look at every index up to a length that may be anything.
  const LENGTH_MAX = 10_000_000;
  for (const name of Object.getOwnPropertyNames(NativeArray.prototype)) {
    const native = NativeArray.prototype[name];
    if (typeof native !== "function" || name === "constructor") {
      continue;
    }
    const bounded = {
      [name](...given) {
        if (this?.length > LENGTH_MAX) {
          throw new RangeError(`An array of a script may have ${LENGTH_MAX} elements.`);
        }
        return apply(native, this, given);
      },
    }[name];
    defineProperty(bounded, "length", { value: native.length, configurable: true });
    defineProperty(NativeArray.prototype, name, { value: bounded, writable: true, configurable: true });
  }
  defineProperty(NativeArray.prototype, iterator, {
    value: NativeArray.prototype.values,
    writable: true,
    configurable: true,
  });
});
