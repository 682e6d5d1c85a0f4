// What every script finds: the server-side API of stored procedures and triggers. Evaluates to a function that takes the
// one host function there is and gives back what the host calls. Nothing of the host is reachable from a script: it stays
// in this closure, and what scripts may break (JSON, Array.prototype, ...) is taken aside before they run.
// Every call pays for what runs here, without a compiler: what is on the way of all scripts takes no array apart and spreads
// none, since that walks an iterator, and leaves text to JSON.parse.
(function (host, makeChains) {
  "use strict";

  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze, setPrototypeOf } = Object;
  const { apply, construct } = Reflect;
  const NativeError = Error;
  const random = Math.random;
  const floor = Math.floor;
  const then = Promise.prototype.then;
  const NativePromise = Promise;

  const ErrorCodes = freeze({
    BadRequest: 400,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    PreconditionFailed: 412,
    RequestEntityTooLarge: 413,
    RetryWith: 449,
    InternalServerError: 500,
  });

  // ---- errors ----

  // Scripts for the service write `new Error(409, "text")`: a number first, then the message.
  function ScriptError(...parts) {
    const numbered = parts.length > 1 && typeof parts[0] === "number";
    const error = construct(NativeError, numbered ? [parts[1]] : parts, new.target ?? ScriptError);
    if (numbered) {
      defineProperty(error, "number", { value: parts[0], writable: true, configurable: true, enumerable: false });
    }
    return error;
  }
  setPrototypeOf(ScriptError, NativeError);
  defineProperty(ScriptError, "name", { value: "Error", configurable: true });
  defineProperty(ScriptError, "length", { value: 1, configurable: true });
  ScriptError.prototype = NativeError.prototype;
  defineProperty(NativeError.prototype, "constructor", { value: ScriptError, writable: true, configurable: true });

  function refusal(number, message) {
    return new ScriptError(number, message);
  }

  /** Number, text and stack of whatever was thrown, for the host. */
  function describe(thrown) {
    let number = 0;
    let text;
    let stack = "";
    try {
      if (thrown !== null && typeof thrown === "object") {
        number = thrown.number | 0;
        stack = thrown instanceof NativeError ? `${thrown.stack}` : "";
        text = thrown instanceof NativeError ? `${thrown}` : stringify(thrown) ?? `${thrown}`;
      } else {
        text = `${thrown}`;
      }
    } catch {
      text ??= "The script threw something that has no text.";
    }
    return stringify([number, text, stack]);
  }

  // ---- what waits for its turn ----

  let waiting = [];
  let first = 0;
  let aborted;
  let context;
  let settings;
  let settingsText;

  /** Asks the host for an operation; its callback runs later, when the script has come to a rest. */
  function enqueue(callback, operation, detail, second, third) {
    const reply = aborted === undefined ? host(operation, detail, second, third) : null;
    if (reply === null) {
      return false;
    }
    waiting[waiting.length] = { callback, reply };
    return true;
  }

  /** Runs the oldest callback; false when none waits. */
  function next() {
    if (aborted !== undefined || first === waiting.length) {
      return false;
    }
    const { callback, reply } = waiting[first];
    waiting[first++] = undefined;
    if (first === waiting.length) {
      waiting = [];
      first = 0;
    }
    if (callback !== undefined || isRefusal(reply)) {
      const { error, body, options } = read(reply);
      if (error === undefined) {
        watch(callback(undefined, body, options));
      } else if (callback === undefined) {
        throw error;
      } else {
        watch(callback(error));
      }
    }
    return true;
  }

  /** A promise that nobody else looks at must not fail in silence. */
  function watch(returned) {
    if (returned instanceof NativePromise) {
      apply(then, returned, [undefined, fail]);
    }
  }

  function fail(error) {
    aborted ??= describe(error);
  }

  /** Replies are `{"body": ..., "options": ...}`, what a callback gets, or `[status, text]` of a refusal. */
  function isRefusal(reply) {
    return reply[0] === "[";
  }

  function read(reply) {
    const outcome = parse(reply);
    if (!isRefusal(reply)) {
      return outcome;
    }
    const error = refusal(outcome[0], stringify({ Errors: [outcome[1]] }));
    error.body = error.message;
    return { error };
  }

  // ---- arguments ----

  function demandArguments(name, given, needed) {
    if (given < needed) {
      throw refusal(ErrorCodes.BadRequest, `"${name}" needs ${needed} argument(s) and was called with ${given}.`);
    }
  }

  const NO_OPTIONS = freeze(create(null));

  /** Options may be left out; then the callback is in their place. */
  function optionsOf(options, callback) {
    if (callback === undefined && typeof options === "function") {
      return NO_OPTIONS;
    }
    if (options !== undefined && typeof options !== "object") {
      throw refusal(ErrorCodes.BadRequest, `The "options" parameter must be an object, not of type "${typeof options}".`);
    }
    if (callback !== undefined && callback !== null && typeof callback !== "function") {
      throw refusal(
        ErrorCodes.BadRequest,
        `The "callback" parameter must be a function, not of type "${typeof callback}".`,
      );
    }
    return options ?? NO_OPTIONS;
  }

  function callbackOf(options, callback) {
    return callback === undefined && typeof options === "function" ? options : callback ?? undefined;
  }

  function words(link) {
    const parts = `${link}`.split("/");
    if (parts.length > 0 && parts[parts.length - 1] === "") {
      parts.length--;
    }
    return parts;
  }

  function isPath(parts, ...kinds) {
    if (parts.length !== kinds.length * 2) {
      return false;
    }
    for (let i = 0; i < kinds.length; i++) {
      if (parts[2 * i].toLowerCase() !== kinds[i]) {
        return false;
      }
    }
    return true;
  }

  function begins(link, prefix) {
    return link === prefix || link.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  }

  function isOfCollection(link) {
    return begins(`${link}/`, settings.selfLink) || begins(link, settings.altLink);
  }

  function demandCollection(link) {
    if (link === settings.selfLink || link === settings.altLink) {
      return;
    }
    if (typeof link !== "string" || !isPath(words(link), "dbs", "colls")) {
      throw refusal(ErrorCodes.BadRequest, `Invalid collection link: "${link}".`);
    }
    if (!isOfCollection(link)) {
      throw outside(link);
    }
  }

  function outside(link) {
    return refusal(
      ErrorCodes.BadRequest,
      `A script may only use resources of its own collection; the link "${link}" does not belong to it.`,
    );
  }

  /** What is left of a link when it is the prefix and one more word, otherwise nothing. */
  function nameBehind(prefix, link) {
    if (!link.startsWith(prefix)) {
      return "";
    }
    const name = link.slice(prefix.length, link.endsWith("/") ? -1 : undefined);
    return name.includes("/") ? "" : name;
  }

  /** `r` and a rid, or `n` and an id. */
  function documentOf(link) {
    if (typeof link === "string") {
      const rid = nameBehind(settings.selfDocuments, link);
      if (rid !== "") {
        return `r${rid}`;
      }
      const id = nameBehind(settings.altDocuments, link);
      if (id !== "") {
        return `n${id}`;
      }
    }
    // Links that are spelled in another way, and those that are wrong.
    const parts = typeof link === "string" ? words(link) : [];
    if (!isPath(parts, "dbs", "colls", "docs")) {
      throw refusal(ErrorCodes.BadRequest, `Invalid document link: "${link}".`);
    }
    if (begins(link, settings.selfLink)) {
      return `r${parts[5]}`;
    }
    if (begins(link, settings.altLink)) {
      return `n${parts[5]}`;
    }
    throw outside(link);
  }

  function bodyOf(body) {
    if (body === null || (typeof body !== "object" && typeof body !== "string")) {
      throw refusal(ErrorCodes.BadRequest, "The document body must be an object, or a string with the JSON of an object.");
    }
    return body;
  }

  function guid() {
    let id = "";
    for (let i = 0; i < 36; i++) {
      id += i === 8 || i === 13 || i === 18 || i === 23 ? "-" : floor(random() * 16).toString(16);
    }
    return id;
  }

  /** The JSON of a new document, which gets an id where it has none. */
  function newBody(given, options) {
    const body = bodyOf(given);
    if (options.disableAutomaticIdGeneration === true) {
      return typeof body === "string" ? body : stringify(body);
    }
    const document = typeof body === "string" ? parse(body) : body;
    if (document.id) {
      return typeof body === "string" ? body : stringify(body);
    }
    return stringify({ ...document, id: guid() });
  }

  // ---- the collection ----

  function Collection() {}

  const collectionMethods = {
    getSelfLink() {
      return settings.selfLink;
    },
    getAltLink() {
      return settings.altLink;
    },
    readDocument(link, options, callback) {
      demandArguments("readDocument", arguments.length, 1);
      const document = documentOf(link);
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "read", document, `${chosen.ifNoneMatch || ""}`);
    },
    readDocuments(link, options, callback) {
      demandArguments("readDocuments", arguments.length, 1);
      demandCollection(link);
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "list", +chosen.pageSize || 100, `${chosen.continuation || ""}`);
    },
    queryDocuments(link, query, options, callback) {
      demandArguments("queryDocuments", arguments.length, 2);
      demandCollection(link);
      if (typeof query !== "string" && typeof query !== "object") {
        throw refusal(
          ErrorCodes.BadRequest,
          `The "filterQuery" parameter must be a string or an object, not of type "${typeof query}".`,
        );
      }
      const chosen = optionsOf(options, callback);
      const sent = stringify(typeof query === "string" ? { query } : query);
      return enqueue(callbackOf(options, callback), "query", sent, +chosen.pageSize || 100, `${chosen.continuation || ""}`);
    },
    createDocument(link, body, options, callback) {
      demandArguments("createDocument", arguments.length, 2);
      bodyOf(body);
      demandCollection(link);
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "create", newBody(body, chosen));
    },
    upsertDocument(link, body, options, callback) {
      demandArguments("upsertDocument", arguments.length, 2);
      bodyOf(body);
      demandCollection(link);
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "upsert", newBody(body, chosen), `${chosen.etag || ""}`);
    },
    replaceDocument(link, body, options, callback) {
      demandArguments("replaceDocument", arguments.length, 2);
      const document = documentOf(link);
      bodyOf(body);
      const chosen = optionsOf(options, callback);
      const text = typeof body === "string" ? body : stringify(body);
      return enqueue(callbackOf(options, callback), "replace", document, text, `${chosen.etag || ""}`);
    },
    patchDocument(link, patch, options, callback) {
      demandArguments("patchDocument", arguments.length, 2);
      const document = documentOf(link);
      if (typeof patch !== "object" || patch === null) {
        throw refusal(ErrorCodes.BadRequest, "A patch is an array of operations, or an object that has one.");
      }
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "patch", document, stringify(patch), `${chosen.etag || ""}`);
    },
    deleteDocument(link, options, callback) {
      demandArguments("deleteDocument", arguments.length, 1);
      const document = documentOf(link);
      const chosen = optionsOf(options, callback);
      return enqueue(callbackOf(options, callback), "delete", document, `${chosen.etag || ""}`);
    },
  };

  // Attachments are gone from the service: every call is answered, and refused.
  for (const [name, needed] of [
    ["readAttachment", 1],
    ["readAttachments", 1],
    ["queryAttachments", 2],
    ["createAttachment", 2],
    ["upsertAttachment", 2],
    ["replaceAttachment", 2],
    ["deleteAttachment", 1],
  ]) {
    collectionMethods[name] = function (...given) {
      demandArguments(name, given.length, needed);
      optionsOf(given[needed], given[needed + 1]);
      return enqueue(callbackOf(given[needed], given[needed + 1]), "attachment");
    };
  }

  // ---- queries by chaining ----

  const { chainMethods, chained, finish } = makeChains({
    host,
    read,
    refusal,
    optionsOf,
    callbackOf,
    isAborted: () => aborted !== undefined,
    isCollection: (value) => value === collection || value === shortcut,
    response: () => context.getResponse?.(),
    enqueueResult(tell) {
      waiting[waiting.length] = { callback: tell, reply: "{}" };
    },
  });

  const collection = new Collection();
  Object.assign(collection, collectionMethods, chainMethods((step, rest) => finish([step], rest[0], rest[1])));
  collection.chain = () => chained([]);
  collection.spatial = {
    distance: (one, other) => spatial("ST_DISTANCE", one, other),
    intersects: (one, other) => spatial("ST_INTERSECTS", one, other),
    within: (one, other) => spatial("ST_WITHIN", one, other),
    isValid: (one) => spatial("ST_ISVALID", one),
    isValidDetailed: (one) => spatial("ST_ISVALIDDETAILED", one),
  };
  // Made anew for everyone who asks, since a script may change it.
  defineProperty(collection, "getPartitionKeyDefinition", { value: () => parse(settings.partitionKey) });

  function spatial(name, ...shapes) {
    for (const shape of shapes) {
      if (shape === null || typeof shape !== "object") {
        throw refusal(ErrorCodes.BadRequest, "A GeoJSON object is needed, for example a Point with coordinates.");
      }
    }
    const names = shapes.map((_, at) => `@${at}`);
    const parameters = shapes.map((value, at) => ({ name: `@${at}`, value }));
    const reply = host("query", stringify({ query: `SELECT VALUE [${name}(${names.join()})]`, parameters }), 1, "");
    const outcome = reply === null ? { error: refusal(ErrorCodes.RetryWith, "The time of the script is over.") } : read(reply);
    if (outcome.error !== undefined) {
      throw outcome.error;
    }
    return outcome.body[0][0];
  }

  freeze(collection);

  // What `__` has of every run; a new one on top of it keeps what a script may add.
  const shortcuts = create(collection, {
    request: { get: () => context.getRequest(), enumerable: true },
    response: { get: () => context.getResponse?.(), enumerable: true },
  });
  let shortcut;

  // ---- request and response ----

  function message(values, writable, sizeMax) {
    const self = {};
    const get = (name) => {
      if (!(name in values)) {
        throw refusal(ErrorCodes.BadRequest, `There is no value "${name}".`);
      }
      return values[name];
    };
    const demandWritable = (name) => {
      if (!(name in values)) {
        throw refusal(ErrorCodes.BadRequest, `No new values can be set: ${name}.`);
      }
      if (!writable.includes(name)) {
        throw refusal(ErrorCodes.Forbidden, `The value cannot be changed: ${name}.`);
      }
    };
    const demandSize = (name, value) => {
      const text = value === null || value === undefined ? "" : typeof value === "object" ? stringify(value) : `${value}`;
      if (text !== undefined && text.length > sizeMax(name)) {
        throw refusal(
          ErrorCodes.RequestEntityTooLarge,
          `The message would be too large with this "${name}". Hand back what there is, and a continuation for the rest.`,
        );
      }
    };
    const set = (name, value) => {
      demandWritable(name);
      demandSize(name, value);
      values[name] = value;
    };
    const append = (name, value) => {
      demandWritable(name);
      const current = values[name];
      const longer = current === null || current === undefined ? value : current + value;
      demandSize(name, longer);
      values[name] = longer;
    };
    for (const name of Object.keys(values)) {
      self[`get${name}`] = () => get(name);
      if (writable.includes(name)) {
        self[`set${name}`] = (value) => set(name, value);
        self[`append${name}`] = (value) => append(name, value);
      }
    }
    self.getValue = get;
    self.setValue = set;
    self.appendValue = append;
    return self;
  }

  const LOG = "x-ms-documentdb-script-log-results";
  const LOGGING = "x-ms-documentdb-script-enable-logging";
  let requestText;
  let requestValues;
  let responseText;
  let responseValues;

  function prepare(given, role, operationType, requestBody, responseBody, logging) {
    if (given !== settingsText) {
      settings = parse(given);
      settings.selfDocuments = `${settings.selfLink}docs/`;
      settings.altDocuments = `${settings.altLink}/docs/`;
      settingsText = given;
    }
    forget();
    requestText = requestBody;
    responseText = responseBody;
    // Both are made when somebody asks for them, since many scripts never do.
    let request;
    let response;
    const getRequest = () => {
      if (request === undefined) {
        requestValues = { Body: requestBody === null ? undefined : parse(requestBody), OperationType: operationType };
        requestValues[LOGGING] = logging ? "true" : "";
        request = message(requestValues, role === "before" ? ["Body"] : [], () => settings.requestMax);
      }
      return request;
    };
    const getResponse = () => {
      if (response === undefined) {
        responseValues = { Body: responseBody === null ? "" : parse(responseBody) };
        responseValues[LOG] = "";
        response = message(responseValues, ["Body", LOG], (name) =>
          name === LOG ? settings.logMax : settings.responseMax,
        );
        if (role === "after") {
          response.getMaxResourceQuota = () => host("quota");
          response.getResourceQuotaCurrentUsage = () => host("usage");
        }
      }
      return response;
    };
    const own = {
      getCollection: () => collection,
      getRequest,
      abort(error) {
        aborted = describe(error ?? refusal(ErrorCodes.BadRequest, "The script was aborted."));
        throw error;
      },
    };
    if (role !== "before") {
      own.getResponse = getResponse;
    }
    context = own;
    shortcut = create(shortcuts);
    ofRun.__ = shortcut;
    ofRun.console = { log: logging ? log : () => {} };
    ofRun.getContext = () => own;
  }

  /** Lets go of a run: what it has left must neither be found by the next one nor take memory until then. */
  function forget() {
    waiting = [];
    first = 0;
    aborted = undefined;
    context = undefined;
    shortcut = undefined;
    requestText = undefined;
    requestValues = undefined;
    responseText = undefined;
    responseValues = undefined;
    ofRun.__ = undefined;
    ofRun.console = undefined;
    ofRun.getContext = undefined;
  }

  // ---- the console ----

  function log(...parts) {
    demandArguments("log", parts.length, 1);
    if (parts.length > 1 && typeof parts[0] !== "string") {
      throw refusal(ErrorCodes.BadRequest, "The first of several arguments to console.log must be a string with %s in it.");
    }
    let at = 1;
    const text = parts.length === 1 ? parts[0] : parts[0].replace(/%(%|s)/g, (_, kind) => (kind === "%" ? "%" : parts[at++]));
    if (context.getResponse !== undefined) {
      context.getResponse().appendValue(LOG, typeof text === "object" && text !== null ? stringify(text) : text);
    }
  }

  // ---- globals ----

  function global(name, value) {
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }

  delete globalThis.arguments; // Those of a command line, which there is none of.
  global("Error", ScriptError);
  global("ErrorCodes", ErrorCodes);

  // Those that are others in every run. A user-defined function sees its arguments and nothing else, and so has none.
  const ofRun = { getContext: undefined, console: undefined, __: undefined };
  for (const name of Object.keys(ofRun)) {
    defineProperty(globalThis, name, {
      get: () => ofRun[name],
      set: (value) => {
        ofRun[name] = value;
      },
      configurable: true,
      enumerable: false,
    });
  }

  /** A body is a function that gives the function to run, a new one every time: even that a script may change. */
  function made(body) {
    const main = body();
    if (typeof main !== "function") {
      throw new SyntaxError("The body of the script is not a function.");
    }
    return main;
  }

  return {
    prepare,
    forget,
    /** What scripts of all runs are given, besides what the global object leads to. */
    shared: [collection, shortcuts, log],
    next,
    describe,
    /** Runs the script itself with its arguments. */
    start(body, args) {
      watch(apply(made(body), undefined, parse(args)));
    },
    /** Calls a user-defined function; null when it gives undefined. `missing` lists which arguments are undefined. */
    call(body, args, missing) {
      const given = parse(args);
      for (const at of parse(missing)) {
        given[at] = undefined;
      }
      return stringify(apply(made(body), undefined, given)) ?? null;
    },
    aborted: () => aborted ?? null,
    requestBody: () => (requestValues === undefined ? requestText : stringify(requestValues.Body) ?? null),
    responseBody: () => (responseValues === undefined ? responseText ?? '""' : stringify(responseValues.Body) ?? null),
    log: () => (responseValues === undefined ? "" : `${responseValues[LOG]}`),
  };
});
