import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialog } from "../../../src/dialog/model.ts";
import { type ClaudeMessage, claudeMessages } from "../../../src/engine/prompt/claude.ts";
import { claudeRequest } from "../../../src/engine/providers/claude/request.ts";
import { realModels, refusedBody } from "../../stand-in/claude-rules.ts";
import { dialogs, nonsense, section } from "./any-dialog.ts";

const tools = [
  { name: "run_command", description: "Runs a command.", inputSchema: { type: "object", properties: { command: { type: "string" } } } },
  { name: "write_file", description: "Writes a file.", inputSchema: { type: "object" } },
];
const bodyOf = (dialog: Dialog, system = "You are an agent.") =>
  JSON.stringify(claudeRequest({ dialog, model: "claude-sonnet-5-5", system, tools, tokensSoFar: null, maxTokens: null }, 64_000));
const runs = { numRuns: 500 };

test("the API takes the request, whatever the dialog holds", () => {
  fc.assert(
    fc.property(dialogs, nonsense, (dialog, system) => {
      expect(refusedBody(bodyOf(dialog, system), { models: realModels })).toBeNull();
    }),
    runs,
  );
});

test("the same dialog gives the same bytes", () => {
  fc.assert(fc.property(dialogs, (dialog) => bodyOf(dialog) === bodyOf(structuredClone(dialog))));
});

test("sections that were sent before, with others before them, give the bytes that they would give anew", () => {
  fc.assert(
    fc.property(dialogs, fc.array(fc.array(fc.nat(7), { maxLength: 10 }), { maxLength: 4 }), (dialog, orders) => {
      for (const order of orders) {
        const sections = order.flatMap((at) => dialog.sections[at] ?? []);
        expect(bodyOf({ ...dialog, sections })).toBe(bodyOf({ ...dialog, sections: structuredClone(sections) }));
      }
    }),
    runs,
  );
});

test("a dialog that grows leaves the blocks of its earlier sections as they are", () => {
  fc.assert(
    fc.property(dialogs, section, (dialog, next) => {
      const before = blocks(claudeMessages(dialog), dialog);
      const after = blocks(claudeMessages({ ...dialog, sections: [...dialog.sections, next] }), dialog);
      expect(after.slice(0, before.length)).toEqual(before);
    }),
    runs,
  );
});

test("every call of an assistant is answered once, in the order of the file", () => {
  fc.assert(
    fc.property(dialogs, (dialog) => {
      const content = claudeMessages(dialog).flatMap((message) => message.content);
      const calls = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      const results = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
      const inFile = dialog.sections.flatMap((one) => (one.role === "assistant" ? one.parts.filter((each) => each.kind === "call") : []));
      expect(results).toEqual(calls);
      expect(calls.length).toBe(inFile.length);
    }),
  );
});

test("no line that grants authority is sent", () => {
  const secret = "grant-4711";
  fc.assert(
    fc.property(dialogs, (dialog) => {
      const lines = [{ key: "Authorized", value: secret }];
      const granted: Dialog = {
        ...dialog,
        head: lines,
        sections: dialog.sections.map((one) => ({ ...one, head: lines, parts: [...one.parts, { kind: "meta", lines }] })),
      };
      expect(bodyOf(granted)).not.toContain(secret);
    }),
  );
});

/** The blocks of the messages one by one, without the placeholder for a missing end. */
function blocks(messages: readonly ClaudeMessage[], dialog: Dialog): string[] {
  const all = messages.flatMap((message) => message.content.map((block) => JSON.stringify([message.role, block])));
  const made = JSON.stringify(["user", { type: "text", text: "Continue." }]);
  return all.at(-1) === made || dialog.sections.length === 0 ? all.slice(0, -1) : all;
}
