import * as fc from "fast-check";
import { expect, test } from "vitest";
import { authorizedAt } from "../../src/dialog/authority.ts";
import { grantsOf, type LinePlace, takesBack } from "../../src/dialog/grants.ts";
import { isPattern } from "../../src/dialog/pattern.ts";
import { allowedTools } from "../../src/dialog/tool-words.ts";
import type { Call, Dialog, Meta, Part, Section } from "../../src/dialog/model.ts";
import {
  callCount,
  findCall,
  firstDifference,
  lastSection,
  type NetworkWord,
  replaceSection,
  sectionAt,
  sectionCount,
  type Standing,
  standing,
  standingBefore,
  withSection,
} from "../../src/dialog/sections.ts";

const keys =
  "Authorized|Revoked|Provider|Model|Usage|Edited|Network|Network refused|Limit|Authorized imported|Revoked imported|Network imported|Refused imported|Limit imported".split(
    "|",
  );
const meta: fc.Arbitrary<Meta> = fc.record({
  key: fc.constantFrom(...keys),
  value: fc.constantFrom(
    "run_command",
    "write_file",
    "*",
    "a.example",
    "b.example",
    "command 9",
    "cost unknown",
    "command npm *",
    "writes under a/",
  ),
});
const call = fc
  .constantFrom("a", "b", "c", "d")
  .map((id): Call => ({ id, name: "x", input: {}, decision: null, started: null, result: undefined }));
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.array(meta, { minLength: 1, maxLength: 2 }).map((lines): Part => ({ kind: "meta", lines })),
  call.map((one): Part => ({ kind: "call", call: one })),
  fc.constant<Part>({ kind: "text", text: "x" }),
);
const section: fc.Arbitrary<Section> = fc.record({
  role: fc.constantFrom("user", "assistant"),
  head: fc.array(meta, { maxLength: 2 }),
  parts: fc.array(part, { maxLength: 3 }),
});
const start = fc.record({
  format: fc.constantFrom(1, 3, null),
  head: fc.array(meta, { maxLength: 2 }),
  parts: fc.array(
    fc.array(meta, { minLength: 1, maxLength: 2 }).map((lines): Part => ({ kind: "meta", lines })),
    { maxLength: 1 },
  ),
  sections: fc.array(section, { maxLength: 3 }),
});
/** Each step starts from any dialog so far, so that several steps may start from the same one. */
const steps = fc.array(fc.record({ from: fc.nat(), section, at: fc.option(fc.nat(), { nil: null }) }), { maxLength: 15 });

interface Version {
  readonly dialog: Dialog;
  /** The same sections in a plain array. */
  readonly sections: readonly Section[];
}

test("a dialog that others went on from says what it said, in any order of asking", () => {
  fc.assert(
    fc.property(start, steps, fc.array(fc.nat()), (first, taken, order) => {
      const versions: Version[] = [{ dialog: first, sections: first.sections }];
      for (const step of taken) {
        const { dialog, sections } = versions[step.from % versions.length] ?? { dialog: first, sections: first.sections };
        const at = step.at === null || sections.length === 0 ? null : step.at % sections.length;
        versions.push(
          at === null
            ? { dialog: withSection(dialog, step.section), sections: [...sections, step.section] }
            : { dialog: replaceSection(dialog, at, step.section), sections: sections.with(at, step.section) },
        );
        const asked = versions[(order[versions.length] ?? 0) % versions.length];
        if (asked) expectSame(asked);
      }
      for (const version of versions.toReversed()) expectSame(version);
      for (const one of versions) for (const other of versions) expectDifference(one, other);
    }),
  );
});

function expectSame({ dialog, sections }: Version): void {
  expect(sectionCount(dialog)).toBe(sections.length);
  expect(lastSection(dialog)).toBe(sections.at(-1));
  expect(sectionAt(dialog, sections.length)).toBeUndefined();
  sections.forEach((each, at) => expect(sectionAt(dialog, at)).toBe(each));
  expect({ ...dialog }).toStrictEqual({ format: dialog.format, head: dialog.head, parts: dialog.parts, sections });
  const calls = sections.flatMap(({ parts }, at) =>
    parts.flatMap((each, nth) => (each.kind === "call" ? [{ section: at, part: nth, call: each.call }] : [])),
  );
  expect(callCount(dialog)).toBe(calls.length);
  for (const id of ["a", "b", "c", "d", "e"]) {
    const found = findCall(dialog, id);
    // Ids are unique in a file. If a test repeats one, any match is right.
    if (found === null) expect(calls.filter(({ call: { id: other } }) => other === id)).toEqual([]);
    else expect(calls).toContainEqual(found);
  }
  for (let at = 0; at <= sections.length; at += 1) {
    const before = { ...dialog, sections: sections.slice(0, at) };
    expect(plain(standingBefore(dialog, at))).toEqual(naive(before));
    expect(authorizedAt(dialog, at, 0)).toEqual(
      at < sections.length ? naive({ ...before, parts: [...before.parts] }, sections[at]?.head).authorized : naive(before).authorized,
    );
  }
  expect(plain(standing(dialog))).toEqual(naive({ ...dialog, sections }));
}

/** The user's settings for a run, and the last message, have their own tests. */
const plain = ({ patterns, run: _run, message: _message, ...found }: Standing) => ({
  ...found,
  authorized: allowedTools(found.authorized),
  granted: new Map([...grantsOf(patterns).commands, ...grantsOf(patterns).writes]),
});
const bare = { word: "any method", bare: true } as const;
const refused = { word: "refused", bare: false } as const;

/** The same, read line by line from the top. */
function naive({ format, head, parts, sections }: Dialog, more: readonly Meta[] = []) {
  const linesOf = (some: readonly Part[]) => some.flatMap((each) => (each.kind === "meta" ? each.lines : []));
  const inSections = sections.flatMap((each) => [...each.head, ...linesOf(each.parts)]);
  const last = (key: string) => [...head, ...inSections].findLast((line) => line.key === key)?.value ?? null;
  const names = new Set<string>();
  const granted = new Map<string, LinePlace>();
  for (const [at, { key, value }] of (format === 1 ? [...head, ...linesOf(parts), ...inSections, ...more] : []).entries()) {
    if (key === "Authorized" && isPattern(value)) granted.set(value, at < head.length ? "main" : "this dialog");
    if (key === "Revoked") for (const each of granted.keys()) if (takesBack(value, each)) granted.delete(each);
  }
  let network: NetworkWord | null = null;
  let commandSeconds: number | null = null;
  let costUnknown = false;
  const imported = { tools: new Set<string>(), hosts: new Map<string, string>(), commandSeconds: null as number | null };
  for (const { key, value } of format === 1 ? [...head, ...linesOf(parts), ...inSections, ...more] : []) {
    if (key === "Authorized" && /^[a-z_]+$/.test(value)) names.add(value);
    if (key === "Revoked") names.delete(value);
    if (/^Network(?: refused)?$/.test(key) && /^[a-z.]+$/.test(value))
      network = { host: value, ...(key === "Network" ? bare : refused), before: network };
    if (key === "Limit" && value === "command 9") commandSeconds = 9;
    if (key === "Limit" && value === "cost unknown") costUnknown = true;
    if (key === "Authorized imported" && (/^[a-z_]+$/.test(value) || isPattern(value))) imported.tools.add(value);
    if (key === "Authorized") imported.tools.delete(value);
    if (key.startsWith("Revoked")) for (const each of imported.tools) if (takesBack(value, each)) imported.tools.delete(each);
    if (/^(?:Network|Refused) imported$/.test(key) && /^[a-z.]+$/.test(value))
      imported.hosts.set(value, key === "Network imported" ? "any method" : "refused");
    if (key === "Network" || key === "Network refused") imported.hosts.delete(value);
    if (key.startsWith("Limit") && value === "command 9") imported.commandSeconds = key === "Limit" ? null : 9;
  }
  return {
    provider: last("Provider"),
    model: last("Model"),
    costCumulative: last("Cost cumulative"),
    authorized: names,
    granted,
    network,
    commandSeconds,
    costUnknown,
    time: null,
    edits: [...head, ...linesOf(parts), ...inSections, ...more].filter(({ key }) => key === "Edited").length,
    imported,
  };
}

function expectDifference(one: Version, other: Version): void {
  const first = firstDifference(one.dialog, other.dialog);
  const end = Math.min(one.sections.length, other.sections.length);
  for (let at = 0; at < Math.min(first, end); at += 1) expect(one.sections[at]).toBe(other.sections[at]);
  expect(first).toBeLessThanOrEqual(end);
  if (one === other) expect(first).toBe(end);
}
