// node:test. Tests run one after another, in the order in which they were written.
import assert from "assert";
import { codeError, notHere } from "./errors.js";
import { host } from "./host.js";
import * as loop from "./loop.js";
import { MockTracker } from "./mock.js";
import { placeOf, shownFile } from "./stack.js";
import { spec, tap } from "./test-report.js";

const settings = { reporter: spec, names: [], only: false, child: false };

export function setUpTests({ reporter, testNames, testOnly, testChild }) {
  settings.reporter = reporter === "tap" ? tap : spec;
  settings.names = testNames.map((pattern) => {
    const given = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
    return given ? new RegExp(given[1], given[2]) : new RegExp(pattern);
  });
  settings.only = testOnly;
  settings.child = Boolean(testChild);
}

const failure = (message, type) => Object.assign(codeError(Error, "ERR_TEST_FAILURE", message), { failureType: type });

class Test {
  children = [];
  diagnostics = [];
  hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  failed = false;
  cancelled = false;
  announced = false;
  duration = 0;
  number = 0;
  finished = false;
  constructor(kind, name, options, fn, parent) {
    Object.assign(this, { kind, name, options, fn, parent, nesting: parent ? parent.nesting + 1 : -1 });
    if (options.skip !== undefined && options.skip !== false) this.skipped = options.skip;
    if (options.todo !== undefined && options.todo !== false) this.todo = options.todo;
    const made = new Error();
    const at = placeOf(made);
    this.where = at ? `${relative(at.file)}:${at.line}:${at.column}` : "?";
    this.promise = new Promise((resolve) => {
      this.done = resolve;
    });
    this.abort = new AbortController();
    if (parent) parent.children.push(this);
    if (parent?.skipped !== undefined) this.skipped ??= parent.skipped;
  }
  /** The enclosing suites, outermost first. */
  ancestors() {
    return this.parent && this.parent.nesting >= 0 ? [...this.parent.ancestors(), this.parent] : [];
  }
  matches() {
    return (
      settings.names.some((pattern) => pattern.test(this.name)) ||
      (this.parent !== null && this.parent.nesting >= 0 && this.parent.matches())
    );
  }
  wanted() {
    if (settings.names.length > 0 && this.kind === "test" && !this.matches()) {
      this.skipped = "test name does not match pattern";
      return false;
    }
    if (settings.only && !this.options.only && !this.ancestors().some(({ options }) => options.only) && !this.anyOnly()) {
      this.skipped = "'only' option not set";
      return false;
    }
    return this.skipped === undefined;
  }
  anyOnly() {
    return this.children.some((child) => child.options.only || child.anyOnly());
  }
  fail(error, type = "testCodeFailure") {
    if (this.failed) return;
    this.failed = true;
    this.error = error;
    this.failureType = type;
  }
  async runHooks(name) {
    for (const { fn } of this.hooks[name]) await callWith(fn, this.context ?? {});
  }
  async runEach(name) {
    const chain = [root, ...this.ancestors()];
    for (const above of name === "beforeEach" ? chain : chain.toReversed())
      for (const { fn } of above.hooks[name]) await callWith(fn, this.context);
  }
  async run() {
    this.number = this.parent.children.indexOf(this) + 1;
    const start = host("now");
    if (this.kind === "suite") await this.runSuite();
    else await this.runTest();
    this.duration = host("now") - start;
    this.finished = true;
    const failing = this.children.filter((child) => child.failed && child.todo === undefined).length;
    if (failing > 0) this.fail(failure(`${failing} subtest${failing > 1 ? "s" : ""} failed`, "subtestsFailed"), "subtestsFailed");
    report(this);
    this.done();
  }
  async runSuite() {
    this.context = { name: this.name, signal: this.abort.signal };
    if (!this.wanted() && settings.names.length === 0) {
      this.children.length = 0;
      return;
    }
    try {
      await this.built;
      await this.runHooks("before");
    } catch (error) {
      this.fail(error, "hookFailed");
      this.children.length = 0;
    }
    for (const child of this.children) await child.run();
    try {
      await this.runHooks("after");
    } catch (error) {
      this.fail(error, "hookFailed");
    }
  }
  async runTest() {
    this.context = new TestContext(this);
    if (!this.wanted()) return;
    try {
      await this.runEach("beforeEach");
      await withTimeout(this, callWith(this.fn, this.context));
      if (this.planned !== undefined && this.planned !== this.asserted)
        throw failure(`plan expected ${this.planned} assertions but received ${this.asserted}`, "testCodeFailure");
      const left = this.children.filter((child) => !child.finished);
      if (left.length > 0) await Promise.all(left.map(({ promise }) => promise));
    } catch (error) {
      this.fail(error, error?.failureType ?? "testCodeFailure");
    }
    try {
      await this.runEach("afterEach");
      await this.runHooks("after");
    } catch (error) {
      this.fail(error, "hookFailed");
    }
    this.mock?.reset();
    this.abort.abort();
  }
}

const relative = (file) => {
  const path = shownFile(file).replace(/^file:\/\//, "");
  const folder = `${process.cwd()}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
};

function withTimeout(test, promise) {
  const { timeout } = test.options;
  if (timeout === undefined || timeout === Infinity || timeout === null) return promise;
  return new Promise((resolve, reject) => {
    const timer = loop.setTimeout(() => {
      test.cancelled = true;
      reject(failure(`test timed out after ${timeout}ms`, "testTimeoutFailure"));
    }, timeout);
    promise.then(resolve, reject).finally(() => loop.clearTimeout(timer));
  });
}

/** A function with a second parameter gets a callback. */
function callWith(fn, context) {
  if (fn.length < 2) return Promise.resolve(context).then((given) => fn.call(given, given));
  return new Promise((resolve, reject) => {
    const result = fn.call(context, context, (error) => (error ? reject(error) : resolve()));
    if (result instanceof Promise) reject(failure("passed a callback but also returned a Promise", "callbackAndPromisePresent"));
  });
}

class TestContext {
  #test;
  #queue = Promise.resolve();
  constructor(test) {
    this.#test = test;
  }
  get name() {
    return this.#test.name;
  }
  get signal() {
    return this.#test.abort.signal;
  }
  get fullName() {
    return [...this.#test.ancestors().map(({ name }) => name), this.#test.name].join(" > ");
  }
  get mock() {
    return (this.#test.mock ??= new MockTracker());
  }
  get assert() {
    const test = this.#test;
    const counted =
      (fn) =>
      (...args) => {
        test.asserted = (test.asserted ?? 0) + 1;
        return fn(...args);
      };
    const methods = counted(assert);
    for (const name of Object.keys(assert))
      if (typeof assert[name] === "function" && name !== "AssertionError" && name !== "strict") methods[name] = counted(assert[name]);
    methods.snapshot = () => {
      throw notHere("snapshots of tests are not here");
    };
    return methods;
  }
  plan(count) {
    this.#test.planned = count;
    this.#test.asserted ??= 0;
  }
  diagnostic(message) {
    this.#test.diagnostics.push(String(message));
  }
  skip(message) {
    this.#test.skipped = message ?? true;
  }
  todo(message) {
    this.#test.todo = message ?? true;
  }
  runOnly() {}
  test(...args) {
    const { name, options, fn } = read(args);
    const child = new Test("test", name, options, fn, this.#test);
    if (this.#test.planned !== undefined) this.#test.asserted++;
    this.#queue = this.#queue.then(() => child.run());
    return child.promise;
  }
  before(fn) {
    return callWith(fn, this);
  }
  after(fn) {
    this.#test.hooks.after.push({ fn });
  }
  beforeEach(fn) {
    this.#test.hooks.beforeEach.push({ fn });
  }
  afterEach(fn) {
    this.#test.hooks.afterEach.push({ fn });
  }
}

const root = new Test("suite", "<root>", {}, () => {}, null);
/** The suite whose body is being read. */
let current = root;
let running = false;
let next = 0;
let started = 0;
let reported = false;

function read(args) {
  const fn = args.findLast((arg) => typeof arg === "function") ?? (() => {});
  const name = typeof args[0] === "string" ? args[0] : fn.name || "<anonymous>";
  const options = args.find((arg) => typeof arg === "object" && arg !== null) ?? {};
  return { name, options, fn };
}

function add(kind, args, extra = {}) {
  const { name, options, fn } = read(args);
  const test = new Test(kind, name, { ...options, ...extra }, fn, current);
  if (kind === "suite" && test.skipped === undefined) {
    const before = current;
    current = test;
    try {
      const built = fn.call({ name }, { name, signal: test.abort.signal });
      if (built instanceof Promise) test.built = built;
    } catch (error) {
      test.built = Promise.reject(error);
      test.built.catch(() => {});
    } finally {
      current = before;
    }
  }
  if (current === root) begin();
  return test.promise;
}

function begin() {
  if (started === 0) started = host("now");
  if (running) return;
  running = true;
  loop.nextTick(async () => {
    if (next === 0) {
      if (!settings.child) settings.reporter.start();
      try {
        await root.runHooks("before");
      } catch (error) {
        root.fail(error, "hookFailed");
      }
    }
    while (next < root.children.length) await root.children[next++].run();
    running = false;
  });
}

const failures = [];
const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

function report(test) {
  settings.reporter.test(test, test.nesting);
  if (test.kind === "suite") counts.suites++;
  else {
    counts.tests++;
    if (test.skipped !== undefined) counts.skipped++;
    else if (test.todo !== undefined) counts.todo++;
    else if (test.cancelled) counts.cancelled++;
    else if (test.failed) counts.fail++;
    else counts.pass++;
  }
  if (test.failed && test.todo === undefined) {
    process.exitCode = 1;
    if (test.failureType !== "subtestsFailed") failures.push(settings.reporter.failure(test));
  }
}

/** Called when nothing is pending. True: something is pending again. */
export function testsDone() {
  if (started === 0 || reported) return false;
  const stuck = [];
  const look = (test) => {
    for (const child of test.children) {
      if (!child.finished && child.number > 0) look(child);
    }
    if (test !== root && !test.finished) stuck.push(test);
  };
  if (running) {
    look(root);
    for (const test of stuck) {
      test.cancelled = true;
      test.finished = true;
      if (test.number === 0) test.number = test.parent.children.indexOf(test) + 1;
      test.fail(
        failure("Promise resolution is still pending but the event loop has already resolved", "cancelledByParent"),
        "cancelledByParent",
      );
      report(test);
    }
    for (; next < root.children.length; next++) {
      const test = root.children[next];
      if (test.finished) continue;
      test.cancelled = true;
      test.finished = true;
      test.number = next + 1;
      test.fail(
        failure("Promise resolution is still pending but the event loop has already resolved", "cancelledByParent"),
        "cancelledByParent",
      );
      report(test);
    }
  }
  reported = true;
  (async () => {
    try {
      await root.runHooks("after");
    } catch (error) {
      process.exitCode = 1;
      root.name = "after hook";
      root.fail(error, "hookFailed");
      failures.push(settings.reporter.failure(root));
      counts.fail++;
    }
    if (root.failed && root.failureType === "hookFailed") process.exitCode = 1;
    if (settings.child) host("test.report", JSON.stringify({ counts, failures }));
    else settings.reporter.end({ ...counts, duration_ms: host("now") - started }, failures, root.children.length);
  })();
  return true;
}

const variants = (kind) => {
  const make = (...args) => add(kind, args);
  make.skip = (...args) => add(kind, args, { skip: true });
  make.todo = (...args) => add(kind, args, { todo: true });
  make.only = (...args) => add(kind, args, { only: true });
  return make;
};

const hook = (name) => (fn) => void current.hooks[name].push({ fn });

export const test = variants("test");
const it = variants("test");
const describe = variants("suite");
Object.assign(test, {
  test,
  it,
  describe,
  suite: describe,
  before: hook("before"),
  after: hook("after"),
  beforeEach: hook("beforeEach"),
  afterEach: hook("afterEach"),
  mock: new MockTracker(),
  run() {
    throw notHere("node:test's run() is not here; use node --test");
  },
});
test.default = test;

export const reporters = {};
for (const name of ["spec", "tap", "dot", "junit", "lcov"])
  Object.defineProperty(reporters, name, {
    enumerable: true,
    get() {
      throw notHere("reporters can't be used by themselves here");
    },
  });
