/** Cases whose output is not Node's, and why. `docs/sandbox.md` says the same. */
export const different: ReadonlyMap<string, string> = new Map([
  [
    `const assert = require("assert"); try { assert(0) } catch (e) { console.log(e.message) }`,
    "assert(x) shows the value, not the line of source",
  ],
  [
    `const assert = require("assert"); try { assert.strictEqual("a", "b", "mine") } catch (e) { console.log(e.message) }`,
    "a message of the test's own takes the place of the difference",
  ],
  [`try { null.x } catch (e) { console.log(e.message) }`, "the engine words its own errors"],
  [`try { JSON.parse("{") } catch (e) { console.log(e.message) }`, "the engine words its own errors"],
  [`require("child_process").execSync("true")`, "nothing can be waited for without letting it run"],
  [`console.log(typeof WebAssembly)`, "there is no WebAssembly inside"],
  [`console.log(require("zlib").brotliCompressSync("a").length > 0)`, "there is no Brotli"],
  [`node --test-reporter=dot -e 1`, "there are two reporters"],
  [`node t.js`, "tests are reported as spec, not as TAP, when nobody asks"],
  [`node --test-reporter=spec hooks.js`, "Node reports later than the tests themselves print"],
]);

/**
 * Cases that QuickJS sometimes answers as Node does, depending on its memory layout: after an `await` of a promise that several functions
 * wait for, `AsyncLocalStorage` may have lost the stored value. The cause is unknown. The browser's own engine runs these cases.
 */
export const unsteadyInQuickJs = (title: string): boolean => title.includes("AsyncLocalStorage") && title.includes("await shared");

/** The same for programs in the browser's own engine. */
export const differentInFrame: ReadonlyMap<string, string> = new Map([
  ...[...different].filter(([title]) => !title.includes("null.x") && !title.includes("WebAssembly")),
  [
    `console.log(Promise.resolve(4), new Promise(() => {}), (async () => {})()); const p = Promise.reject(3); p.catch(() => {}); console.log(p)`,
    "a browser tells no one what a promise came to",
  ],
]);
