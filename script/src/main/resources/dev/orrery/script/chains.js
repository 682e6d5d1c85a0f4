// Queries by chaining: filter, map and the like over the documents of the partition. Evaluates to a function that takes the
// tools of the prelude.
(function (tools) {
  "use strict";

  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { host, read, refusal, optionsOf, callbackOf } = tools;

  const DEFAULT_PAGE = 100;

  function rank(value) {
    switch (typeof value) {
      case "undefined":
        return 0;
      case "boolean":
        return 2;
      case "number":
        return 3;
      case "string":
        return 4;
      default:
        return value === null ? 1 : isArray(value) ? 5 : 6;
    }
  }

  function compare(one, other) {
    const difference = rank(one) - rank(other);
    if (difference !== 0) {
      return difference;
    }
    return rank(one) > 4 || one === other ? 0 : one < other ? -1 : 1;
  }

  function sorted(rows, key, sign) {
    const keyed = [];
    for (let i = 0; i < rows.length; i++) {
      keyed[i] = { row: rows[i], key: key(rows[i]), i };
    }
    keyed.sort((one, other) => sign * compare(one.key, other.key) || one.i - other.i);
    const result = [];
    for (let i = 0; i < keyed.length; i++) {
      result[i] = keyed[i].row;
    }
    return result;
  }

  /** Each step turns some rows into others; those of sorts need all rows at once. */
  const steps = {
    filter: (predicate) => ({
      run(rows) {
        const kept = [];
        for (let i = 0; i < rows.length; i++) {
          if (predicate(rows[i], i, rows)) {
            kept[kept.length] = rows[i];
          }
        }
        return kept;
      },
    }),
    map: (transform) => ({
      run(rows) {
        const made = [];
        for (let i = 0; i < rows.length; i++) {
          made[i] = transform(rows[i], i, rows);
        }
        return made;
      },
    }),
    flatten: (shallow) => ({ run: (rows) => flat(rows, shallow === true) }),
    unwind: (select, combine) => ({
      run(rows) {
        const made = [];
        for (let i = 0; i < rows.length; i++) {
          const inner = select(rows[i]);
          for (let k = 0; isArray(inner) && k < inner.length; k++) {
            made[made.length] = combine === undefined ? inner[k] : combine(rows[i], inner[k]);
          }
        }
        return made;
      },
    }),
    sortBy: (key) => ({ whole: true, run: (rows) => sorted(rows, key, 1) }),
    sortByDescending: (key) => ({ whole: true, run: (rows) => sorted(rows, key, -1) }),
  };

  function flat(rows, shallow) {
    const made = [];
    for (let i = 0; i < rows.length; i++) {
      if (!isArray(rows[i])) {
        made[made.length] = rows[i];
        continue;
      }
      const inner = shallow ? rows[i] : flat(rows[i], false);
      for (let k = 0; k < inner.length; k++) {
        made[made.length] = inner[k];
      }
    }
    return made;
  }

  /** Runs a chain over the documents of the partition, from the row on that a continuation names. */
  function evaluate(chain, options) {
    const from = +(options.continuation || 0);
    const pageSize = +options.pageSize || DEFAULT_PAGE;
    const wholeAt = chain.findIndex((step) => step.whole === true);
    const streamed = wholeAt < 0 ? chain : chain.slice(0, wholeAt);
    const blocking = wholeAt < 0 ? [] : chain.slice(wholeAt);
    const enough = blocking.length === 0 ? from + pageSize + 1 : Infinity;
    let rows = [];
    let continuation = "";
    do {
      const reply = host("list", 1000, continuation);
      if (reply === null) {
        return { accepted: false };
      }
      const page = read(reply);
      if (page.error !== undefined) {
        return { accepted: true, error: page.error };
      }
      continuation = page.options.continuation ?? "";
      let some = page.body;
      for (const step of streamed) {
        some = step.run(some);
      }
      for (let i = 0; i < some.length; i++) {
        rows[rows.length] = some[i];
      }
    } while (continuation !== "" && rows.length < enough);
    for (const step of blocking) {
      rows = step.run(rows);
    }
    const feed = rows.slice(from, from + pageSize);
    return { accepted: true, feed, options: rows.length > from + pageSize ? { continuation: `${from + pageSize}` } : {} };
  }

  function appendToResponse(error, feed) {
    if (error !== undefined) {
      throw error;
    }
    const response = tools.response();
    if (response === undefined) {
      throw refusal(400, "Without a response to write to, as in a pre-trigger, a callback is needed.");
    }
    response.appendBody(stringify(feed));
  }

  function finish(chain, options, callback) {
    const chosen = optionsOf(options, callback);
    if (tools.isAborted()) {
      return { isAccepted: false };
    }
    let result;
    try {
      result = evaluate(chain, chosen);
    } catch (error) {
      result = { accepted: true, error };
    }
    if (!result.accepted) {
      return { isAccepted: false };
    }
    const told = callbackOf(options, callback) ?? appendToResponse;
    tools.enqueueResult(() => (result.error === undefined ? told(undefined, result.feed, result.options) : told(result.error)));
    return { isAccepted: true };
  }

  function demandFunction(value) {
    if (typeof value !== "function") {
      throw refusal(400, "A function that tests or transforms a document is needed.");
    }
    return value;
  }

  /** The steps as methods; `add` gets the new step and the arguments behind those of the step. */
  function chainMethods(add) {
    const methods = {};
    for (const name of ["filter", "map", "sortBy", "sortByDescending"]) {
      methods[name] = function (...given) {
        const [of, ...rest] = withoutCollection(given);
        return add(steps[name](demandFunction(of)), rest);
      };
    }
    methods.pluck = function (...given) {
      const [name, ...rest] = withoutCollection(given);
      if (typeof name !== "string" || name === "") {
        throw refusal(400, "The name of a property must be a string that is not empty.");
      }
      return add(steps.map((document) => document?.[name]), rest);
    };
    methods.flatten = function (...given) {
      const rest = withoutCollection(given);
      const shallow = typeof rest[0] === "boolean" ? rest.shift() : false;
      return add(steps.flatten(shallow), rest);
    };
    methods.unwind = function (...given) {
      const [select, ...rest] = withoutCollection(given);
      if (typeof select !== "function" || select.length !== 1) {
        throw refusal(400, '"unwind" needs a "collectionSelector": a function of one argument.');
      }
      const combine = typeof rest[0] === "function" && rest[0].length >= 2 ? rest.shift() : undefined;
      return add(steps.unwind(select, combine), rest);
    };
    return methods;
  }

  function withoutCollection(given) {
    return given[0] === undefined || tools.isCollection(given[0]) ? given.slice(1) : given;
  }

  function chained(chain) {
    const methods = chainMethods((step, rest) => {
      if (rest.length > 0) {
        throw refusal(400, 'In a chain, options and a callback are given to "value" only.');
      }
      return chained([...chain, step]);
    });
    methods.value = (options, callback) => finish(chain, options, callback);
    methods.isAccepted = true;
    return methods;
  }

  return { chainMethods, chained, finish };
});
