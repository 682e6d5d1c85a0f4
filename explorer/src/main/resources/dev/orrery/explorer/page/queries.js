// How queries are asked, and what their pages add up to.

/** How many rows a page has that goes into a file and is not shown. */
const FILE_PAGE = 1000;

/** Asks the server to carry out a query over all partitions itself, as SDKs would do it in the client. */
export const COMPLETE = { "x-orrery-serve-raw-query": "true" };

const TOLD = {
  ...COMPLETE,
  "x-ms-documentdb-populatequerymetrics": "true",
  "x-ms-cosmos-populateindexmetrics-v2": "true",
  "x-orrery-explain": "true",
  "x-orrery-charge-details": "true",
};

/** A query under way: asks for a page at a time and adds up what they took. */
export class QueryRun {
  constructor(account, container, { text, parameters, partitionKey, size }) {
    this.account = account;
    this.path = [...container.path, "docs"];
    this.text = text;
    this.options = { parameters, size, headers: { ...TOLD, ...partitionKey } };
    this.fileOptions = { parameters, size: FILE_PAGE, headers: { ...COMPLETE, ...partitionKey } };
    this.rows = [];
    this.pages = 0;
    this.charge = 0;
    this.millis = 0;
    this.metrics = {};
    this.bill = new Map();
  }

  /** Whether there may be rows beyond those it has. */
  get more() {
    return this.pages > 0 && Boolean(this.continuation);
  }

  /** { rows, charge }: those it has and all that follow, which are not kept here; tells how many there are so far. */
  async all(signal, tell) {
    const rows = [...this.rows];
    let { continuation } = this;
    let charge = 0;
    while (continuation) {
      const page = await this.account.query(this.path, this.text, { ...this.fileOptions, continuation, signal });
      for (const node of page.nodes) rows.push(node);
      charge += page.charge;
      ({ continuation } = page);
      tell(rows.length);
    }
    return { rows, charge };
  }

  async next(signal) {
    const page = await this.account.query(this.path, this.text, { ...this.options, continuation: this.continuation, signal });
    this.continuation = page.continuation;
    this.rows.push(...page.nodes);
    this.pages++;
    this.charge += page.charge;
    this.millis += page.millis;
    const { reply } = page;
    this.explanation ??= header(reply, "x-orrery-explain", JSON.parse);
    this.indexes ??= header(reply, "x-ms-cosmos-index-utilization", (text) => JSON.parse(decodeURIComponent(text)));
    for (const part of (reply.header("x-ms-documentdb-query-metrics") ?? "").split(";")) {
      const [name, figure] = part.split("=");
      if (name) this.metrics[name] = (this.metrics[name] ?? 0) + Number(figure);
    }
    for (const line of header(reply, "x-orrery-charge-details", JSON.parse)?.items ?? []) {
      const sum = this.bill.get(line.what) ?? { what: line.what, count: 0, bytes: 0, requestUnits: 0 };
      this.bill.set(line.what, { ...sum, count: sum.count + line.count, bytes: sum.bytes + (line.bytes ?? 0), requestUnits: sum.requestUnits + line.requestUnits });
    }
  }
}

function header(reply, name, read) {
  const text = reply.header(name);
  return text === null ? undefined : read(text);
}
