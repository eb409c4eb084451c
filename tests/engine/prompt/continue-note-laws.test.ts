import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialog } from "../../../src/dialog/model.ts";
import { replaceSection, sectionCount, withoutLast, withSection } from "../../../src/dialog/sections.ts";
import { continuing } from "../../../src/engine/prompt/continue-note.ts";
import { bodyJson } from "../../../src/engine/providers/body-json.ts";
import { claudeRequest } from "../../../src/engine/providers/claude/request.ts";
import { chatRequest } from "../../../src/engine/providers/openai/chat-request.ts";
import { responsesRequest } from "../../../src/engine/providers/openai/responses-request.ts";
import { dialogs, section } from "./any-dialog.ts";

const tools = [{ name: "run_command", description: "Runs a command.", inputSchema: { type: "object" } }];
const chatShape = { tokensField: "max_tokens", tokens: 64_000, role: "system" } as const;
const wires = [
  (dialog: Dialog, system: string) => claudeRequest({ dialog, model: "m", system, tools, tokensSoFar: null, maxTokens: null }, 64_000),
  (dialog: Dialog, system: string) => chatRequest({ dialog, model: "m", system, tools, tokensSoFar: null, maxTokens: null }, chatShape),
  (dialog: Dialog, system: string) =>
    responsesRequest({ dialog, model: "m", system, tools, tokensSoFar: null, maxTokens: null }, 64_000, []),
];

/** Each step starts from any dialog so far. So several steps may start from the same dialog, and a dialog is asked again after others. */
const step = fc.record({
  from: fc.nat(),
  edit: fc.constantFrom("add", "replace", "shorten", "insert", "remove", "none"),
  at: fc.nat(),
  section,
  wire: fc.nat(wires.length - 1),
  system: fc.constantFrom("", "You are an agent.", "You are another agent."),
});

function edited(dialog: Dialog, { edit, at, section: given }: { edit: string; at: number; section: Dialog["sections"][number] }): Dialog {
  const count = sectionCount(dialog);
  const place = count === 0 ? 0 : at % count;
  const { sections } = dialog;
  switch (edit) {
    case "add":
      return withSection(dialog, given);
    case "replace":
      return count === 0 ? dialog : replaceSection(dialog, place, given);
    case "shorten":
      return withoutLast(dialog);
    case "insert":
      return { ...dialog, sections: [...sections.slice(0, place), given, ...sections.slice(place)] };
    case "remove":
      return { ...dialog, sections: sections.toSpliced(place, 1) };
    default:
      return dialog;
  }
}

test("whatever was asked before, a request is byte for byte the one that is made anew, and none that was made changes", () => {
  fc.assert(
    fc.property(dialogs, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const versions = [first];
      const sent: { readonly body: object; readonly text: string }[] = [];
      for (const taken of steps) {
        const dialog = edited(versions[taken.from % versions.length] ?? first, taken);
        versions.push(dialog);
        const ask = wires[taken.wire];
        if (!ask) throw new RangeError(`no wire ${taken.wire}`);
        const body = ask(dialog, taken.system);
        const text = bodyJson(body);
        expect(text).toBe(JSON.stringify(ask(structuredClone({ ...dialog }), taken.system)));
        sent.push({ body, text });
      }
      for (const { body, text } of sent) expect(JSON.stringify(body)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

describe("a list that goes on", () => {
  const log = () => {
    const taken: string[] = [];
    const make = continuing<{ readonly name: string }, string>(() => ({
      add({ name }, made) {
        taken.push(name);
        made.push(name);
        return name !== "joins";
      },
    }));
    return { taken, make };
  };
  const [a, b, c, d, joins] = ["a", "b", "c", "d", "joins"].map((name) => ({ name })) as [Named, Named, Named, Named, Named];
  interface Named {
    readonly name: string;
  }

  test.each([
    ["takes what is new in it, and the item before", [a, b, c], [a, b, c, d], "c d"],
    ["takes what stands from a change on, and the item before", [a, b, c, d], [a, b, d, c], "b d c"],
    ["goes back to an item that left all before it as it was", [a, b, joins, joins], [a, b, joins, joins, c], "b joins joins c"],
    ["takes little when it gets shorter", [a, b, c, d], [a, b, c], "c"],
    ["starts anew with another first item", [a, b, c], [b, c], "b c"],
  ])("%s", (_name, before, after, expected) => {
    const { taken, make } = log();
    make(before);
    taken.length = 0;
    expect(make(after)).toEqual(after.map(({ name }) => name));
    expect(taken.join(" ")).toBe(expected);
  });

  test("goes on from nothing when its maker throws", () => {
    let fails = false;
    const make = continuing<{ readonly name: string }, string>(() => ({
      add({ name }, made) {
        made.push(name);
        if (fails) throw new Error("no");
        return true;
      },
    }));
    make([a, b, c]);
    fails = true;
    expect(() => make([a, b, d])).toThrow("no");
    fails = false;
    expect(make([a, b, c])).toEqual(["a", "b", "c"]);
  });
});
