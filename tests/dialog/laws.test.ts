import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean } from "../../src/dialog/clean.ts";
import { escapeLine, escapeText, OPENER, unescapeLine, unescapeText } from "../../src/dialog/escape.ts";
import { cleanMeta, storedValue } from "../../src/dialog/meta.ts";
import type { Dialog, Meta, Part } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { hostileDialog, hostileFile, hostileText, lawTimeout, runs } from "./hostile.ts";
import { openerLines } from "./notation.ts";

const law = (name: string, property: fc.IProperty<[string]> | fc.IProperty<[Dialog]>): void => {
  test(name, () => fc.assert(property as fc.IProperty<[unknown]>, { numRuns: runs }), lawTimeout);
};

describe("escaping", () => {
  law(
    "an escaped line never starts with an opener, and unescapes to itself",
    fc.property(hostileText, (text) => {
      const escaped = escapeLine(text);
      expect(OPENER.test(escaped)).toBe(false);
      expect(unescapeLine(escaped)).toBe(text);
    }),
  );
  law(
    "a text is escaped line by line",
    fc.property(hostileText, (text) => {
      expect(escapeText(text)).toBe(text.split("\n").map(escapeLine).join("\n"));
      expect(unescapeText(text)).toBe(text.split("\n").map(unescapeLine).join("\n"));
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

describe("parsing and writing", () => {
  law(
    "parse(serialise(d)) is d, cleaned",
    fc.property(hostileDialog, (dialog) => {
      expect(parseDialog(serialiseDialog(dialog))).toStrictEqual(cleaned(dialog));
    }),
  );
  law(
    "the lines that could read as structural are those of the dialog's shape",
    fc.property(hostileDialog, (dialog) => {
      expect(openerLines(serialiseDialog(dialog))).toEqual(shapeLines(cleaned(dialog)));
    }),
  );
  law(
    "any file parses, says the same once it is written again, and then stays as it is",
    fc.property(hostileFile(serialiseDialog), (file) => {
      const dialog = parseDialog(file);
      const written = serialiseDialog(dialog);
      if (dialog.format === null) expect(parseDialog(written).format).toBeNull();
      else expect(parseDialog(written)).toStrictEqual(dialog);
      expect(written).not.toMatch(/\p{Cs}/u);
      expect(written).not.toMatch(/[\0\r]/);
      if (dialog.format !== null) expect(serialiseDialog(parseDialog(written))).toBe(written);
    }),
  );
  law(
    "what is parsed keeps the promises of the model",
    fc.property(hostileFile(serialiseDialog), (file) => expectModel(parseDialog(file))),
  );
});

function expectModel(dialog: Dialog): void {
  const ids: string[] = [];
  const all = [dialog.parts, ...dialog.sections.map(({ parts }) => parts)];
  expect(dialog.parts.some(({ kind }) => kind === "call")).toBe(false);
  for (const { role, parts } of dialog.sections) if (role === "user") expect(parts.some(({ kind }) => kind === "call")).toBe(false);
  for (const parts of all) {
    parts.forEach((part, at) => {
      if (part.kind === "call") {
        ids.push(part.call.id);
        expect(part.call.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(part.call.id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      } else if (part.kind === "text") {
        expect(part.text).toBe(clean(part.text));
        expect(part.text).not.toBe("");
        expect(parts[at - 1]?.kind).not.toBe("text");
      } else expect(part.lines.length).toBeGreaterThan(0);
    });
  }
  expect(new Set(ids).size).toBe(ids.length);
}

/** The dialog as it reads after writing: the other side of the law. */
function cleaned(dialog: Dialog): Dialog {
  return {
    format: dialog.format,
    head: cleanedMeta(dialog.head).filter(({ key }) => key !== "Format"),
    parts: cleanedParts(dialog.parts),
    sections: dialog.sections.map(({ role, head, parts }) => ({ role, head: cleanedMeta(head), parts: cleanedParts(parts) })),
  };
}

function cleanedParts(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (part.kind === "meta") {
      if (part.lines.length > 0) out.push({ kind: "meta", lines: cleanedMeta(part.lines) });
    } else if (part.kind === "call") {
      const { started } = part.call;
      out.push({ kind: "call", call: { ...part.call, started: started === null ? null : storedValue(started) } });
    } else if (clean(part.text) !== "") {
      if (last?.kind === "text") out[out.length - 1] = { kind: "text", text: `${last.text}\n\n${clean(part.text)}` };
      else out.push({ kind: "text", text: clean(part.text) });
    }
  }
  return out;
}

function cleanedMeta(lines: readonly Meta[]): Meta[] {
  return lines.map(({ key, value }) => {
    const stored = storedValue(value);
    return { key, value: key === "Provider" && stored.includes(" | Model: ") ? stored.replaceAll("|", " ") : stored };
  });
}

/** The structural lines of a dialog with this shape. */
function shapeLines(dialog: Dialog): string[] {
  const lines = ["# Dialog", `> Format: ${dialog.format}`, ...metaShape(dialog.head), ...dialog.parts.flatMap(partShape)];
  for (const { role, head, parts } of dialog.sections) {
    lines.push(role === "user" ? "## User" : "## Assistant", ...metaShape(head), ...parts.flatMap(partShape));
  }
  return lines;
}

function partShape(part: Part): string[] {
  if (part.kind === "text") return [];
  if (part.kind === "meta") return metaShape(part.lines);
  const { name, id, decision, started, result } = part.call;
  const lines = [`Tool request: ${name} [${id}]`];
  if (decision !== null) lines.push(`Decision: ${decision}`);
  if (started !== null) lines.push(`Started: ${started}`);
  if (result !== undefined) lines.push("Result:");
  return lines;
}

function metaShape(lines: readonly Meta[]): string[] {
  const out: string[] = [];
  lines.forEach(({ key, value }, at) => {
    const joined = key === "Model" && lines[at - 1]?.key === "Provider";
    if (joined) out.push(`${out.pop()} | Model: ${value}`);
    else out.push(`> ${key}: ${value}`);
  });
  return out;
}

test("cleaned metadata is what is stored", () => {
  const lines = [
    { key: "Stop", value: "  error\u2028two\n" },
    { key: "Provider", value: "a | Model: b" },
    { key: "Time", value: "a - " },
  ];
  expect(cleanMeta(lines).map(({ value }) => value)).toEqual(["error two", "a   Model: b", "a - "]);
});
