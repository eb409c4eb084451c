import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CommitOptions, Files, FileStat } from "../../src/fs/files.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { memoryFiles } from "../../src/fs/memory.ts";
import { changes, path, texts } from "./notation.ts";

/** The contract again in its plainest form: a file is a list of labeled texts. */
interface Model {
  files: Map<string, { pieces: { text: string; label: string | null }[]; version: number; mtime: number }>;
  version: number;
  epoch: number;
}

type Step =
  | { do: "commit"; lines: string[]; epoch: number | null; expect: { path: string; of: "now" | "older" | "nothing" } | null }
  | { do: "lead" };

function apply(model: Model, lines: readonly string[], now: number): Model | string {
  const files = structuredClone(model.files);
  const version = model.version + 1;
  for (const line of lines) {
    const [op = "", name = "", ...words] = line.split(" ");
    const pieces = words.map((word) => {
      const [, label = null, text = ""] = /^(?:(\w):)?(.*)$/.exec(word) ?? [];
      return { label, text };
    });
    if (op === "write") {
      const labels = pieces.map((piece) => piece.label).filter((label) => label !== null);
      if (new Set(labels).size < labels.length) return "piece";
      files.set(name, { pieces, version, mtime: now });
      continue;
    }
    const file = files.get(name);
    if (!file) return "missing";
    const [given = { label: null, text: "" }] = pieces;
    const open = file.pieces.find((piece) => piece.label !== null && piece.label === given.label);
    if (op === "remove") files.delete(name);
    if (op === "rename") {
      if (files.has(given.text)) return "exists";
      files.delete(name);
      files.set(given.text, { ...file, version });
    }
    if (op === "append") {
      if (open) return "piece";
      file.pieces.push(given);
    }
    if (op === "patch" || op === "close") {
      if (!open) return "piece";
      open.text = given.text;
      if (op === "close") open.label = null;
    }
    if (["append", "patch", "close"].includes(op)) Object.assign(file, { version, mtime: now });
  }
  return { ...model, files, version };
}

function run(model: Model, step: Step & { do: "commit" }, now: number): Model | string {
  if (step.epoch !== null && step.epoch !== model.epoch) return "fenced";
  const [expected] = step.expect ? (expectOf(model, step) ?? []) : [];
  if (expected && expected.version !== (model.files.get(expected.path)?.version ?? null)) return "conflict";
  return apply(model, step.lines, now);
}

function expectOf(model: Model, { expect: wanted }: Step & { do: "commit" }): CommitOptions["expect"] {
  if (!wanted) return [];
  const version = model.files.get(wanted.path)?.version ?? null;
  return [{ path: path(wanted.path), version: { now: version, older: (version ?? 1) - 1, nothing: null }[wanted.of] }];
}

function textOf(pieces: readonly { text: string }[]): string {
  return pieces.map((piece) => piece.text).join("");
}

function seen(model: Model): { stats: FileStat[]; texts: string } {
  const all = [...model.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    stats: all.map(([name, { pieces, version, mtime }]) => ({ path: path(name), size: textOf(pieces).length, mtime, version })),
    texts: all.map(([name, file]) => `${name}=${textOf(file.pieces)}`).join(" "),
  };
}

const name = fc.constantFrom("a", "b", "c");
const word = fc
  .tuple(fc.constantFrom("", "", "h:", "t:"), fc.constantFrom("1", "22", "333", "x".repeat(9000)))
  .map((parts) => parts.join(""));
const labelled = fc.tuple(fc.constantFrom("h:", "t:"), fc.constantFrom("", "4", "55", "666")).map((parts) => parts.join(""));
const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant("write"),
      name,
      fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
    ),
  },
  { weight: 6, arbitrary: fc.tuple(fc.constant("append"), name, word) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("patch", "close"), name, labelled) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("rename"), name, name) },
  fc.tuple(fc.constant("remove"), name),
  { weight: 2, arbitrary: fc.tuple(fc.constant("fold"), name) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record<Step & { do: "commit" }>({
      do: fc.constant("commit"),
      lines: fc.array(
        line.map((parts) => parts.join(" ")),
        { maxLength: 4 },
      ),
      epoch: fc.option(fc.nat(2), { freq: 4 }),
      expect: fc.option(fc.record({ path: name, of: fc.constantFrom("now", "now", "older", "nothing") }), { freq: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "lead" }) },
);

async function keepsTheLaw(files: Files, clock: { now: number }, steps: readonly Step[]): Promise<void> {
  let model: Model = { files: new Map(), version: 0, epoch: 0 };
  for (const each of steps) {
    clock.now += 1;
    if (each.do === "lead") {
      model = { ...model, epoch: model.epoch + 1 };
      expect(await files.lead()).toBe(model.epoch);
      continue;
    }
    const wanted = run(model, each, clock.now);
    const { lines, epoch } = each;
    const options = { durability: "relaxed", expect: expectOf(model, each) ?? [], ...(epoch === null ? {} : { epoch }) } as const;
    const result = await files.commit(changes(lines.join("\n")), options);
    if (typeof wanted === "string") {
      expect(result).toMatchObject({ ok: false, failure: { kind: wanted } });
    } else {
      expect(result).toEqual({ ok: true, version: wanted.version });
      model = wanted;
    }
    expect({ stats: await files.list(), texts: await texts(files) }).toEqual(seen(model));
  }
}

const steps = fc.array(step, { minLength: 1, maxLength: 25 });

test("whatever is committed, the files in memory are those of the model", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const clock = { now: 0 };
      await keepsTheLaw(memoryFiles({ now: () => clock.now }), clock, given);
    }),
    { numRuns: 500 },
  );
});

test("whatever is committed, the files in IndexedDB are those of the model", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const clock = { now: 0 };
      const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => clock.now });
      try {
        await keepsTheLaw(files, clock, given);
      } finally {
        files.close();
      }
    }),
    { numRuns: 60 },
  );
});
