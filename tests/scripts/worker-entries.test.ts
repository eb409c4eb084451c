import { expect, test } from "vitest";
import { type EntryChunk, keepApart } from "../../scripts/vite/worker-entries.ts";

const chunk = (fileName: string, code: string, more: Partial<EntryChunk> = {}): EntryChunk => ({
  type: "chunk",
  fileName,
  code,
  isEntry: false,
  imports: [],
  dynamicImports: [],
  ...more,
});

test("an entry that other chunks import is moved, and they import what was moved", () => {
  const entry = chunk("engine/worker-AAAA.js", "export const a=1;import(`./late-BBBB.js`)", { isEntry: true });
  const late = chunk("engine/late-BBBB.js", 'import{a}from"./worker-AAAA.js";"./worker-AAAA.js"', { imports: ["engine/worker-AAAA.js"] });
  const lazy = chunk("sandbox/lazy-CCCC.js", "import(`../engine/worker-AAAA.js`)", { dynamicImports: ["engine/worker-AAAA.js"] });
  expect(keepApart([entry, late, lazy])).toEqual([
    { fileName: "engine/inner-worker-AAAA.js", code: "export const a=1;import(`./late-BBBB.js`)" },
  ]);
  expect(entry.code).toBe('import "./inner-worker-AAAA.js";\n');
  // Text that only looks like the import stays.
  expect(late.code).toBe('import{a}from"./inner-worker-AAAA.js";"./worker-AAAA.js"');
  expect(lazy.code).toBe("import(`../engine/inner-worker-AAAA.js`)");
});

test("an entry that nothing imports stays whole", () => {
  const entry = chunk("engine/diff-AAAA.js", "work()", { isEntry: true });
  expect(keepApart([entry])).toEqual([]);
  expect(entry.code).toBe("work()");
});
