import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialog } from "../../../src/dialog/model.ts";
import { chatMessages } from "../../../src/engine/prompt/openai-chat.ts";
import { responsesInput } from "../../../src/engine/prompt/openai-responses.ts";
import { chatRequest } from "../../../src/engine/providers/openai/chat-request.ts";
import { responsesRequest } from "../../../src/engine/providers/openai/responses-request.ts";
import type { ProviderRequest } from "../../../src/engine/providers/provider.ts";
import { refusedChat } from "../../stand-in/openai-chat-rules.ts";
import { refusedResponses } from "../../stand-in/openai-responses-rules.ts";
import { realModels } from "../../stand-in/openai-rule.ts";
import { dialogs, nonsense, section } from "./any-dialog.ts";

const tools = [
  { name: "run_command", description: "Runs a command.", inputSchema: { type: "object", properties: { command: { type: "string" } } } },
  { name: "write_file", description: "Writes a file.", inputSchema: { type: "object" } },
];
const asking = (dialog: Dialog, system: string, model: string): ProviderRequest => ({
  dialog,
  model,
  system,
  tools,
  tokensSoFar: null,
  maxTokens: null,
});
const chatShape = { tokensField: "max_completion_tokens", tokens: 64_000, role: "developer" } as const;
const rules = { models: realModels };
const runs = { numRuns: 300 };

/** Both wires with common names for what they share. */
const wires = [
  {
    name: "Chat Completions",
    items: (dialog: Dialog): unknown[] => chatMessages(dialog),
    body: (dialog: Dialog, system = "") => JSON.stringify(chatRequest(asking(dialog, system, "gpt-5.5"), chatShape)),
    refused: (raw: string) => refusedChat(raw, rules),
    made: { role: "user", content: "Continue." },
    calls: (dialog: Dialog) =>
      chatMessages(dialog).flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [])),
    results: (dialog: Dialog) => chatMessages(dialog).flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : [])),
  },
  {
    name: "Responses",
    items: (dialog: Dialog): unknown[] => responsesInput(dialog),
    body: (dialog: Dialog, system = "") => JSON.stringify(responsesRequest(asking(dialog, system, "gpt-6.1-sol"), 64_000, [])),
    refused: (raw: string) => refusedResponses(raw, rules),
    made: { type: "message", role: "user", content: "Continue." },
    calls: (dialog: Dialog) => responsesInput(dialog).flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])),
    results: (dialog: Dialog) => responsesInput(dialog).flatMap((item) => (item.type === "function_call_output" ? [item.call_id] : [])),
  },
] as const;

describe.each(wires)("$name", ({ items, body, refused, made, calls, results }) => {
  test("the API takes the request, whatever the dialog holds", () => {
    fc.assert(
      fc.property(dialogs, nonsense, (dialog, system) => {
        expect(refused(body(dialog, system))).toBeNull();
      }),
      runs,
    );
  });

  test("the same dialog gives the same bytes", () => {
    fc.assert(fc.property(dialogs, (dialog) => body(dialog) === body(structuredClone(dialog))));
  });

  test("a dialog that grows leaves what was sent of its earlier sections as it is", () => {
    const said = (dialog: Dialog) => {
      const all = items(dialog).map((item) => JSON.stringify(item));
      return all.at(-1) === JSON.stringify(made) ? all.slice(0, -1) : all;
    };
    fc.assert(
      fc.property(dialogs, section, (dialog, next) => {
        const before = said(dialog);
        expect(
          items({ ...dialog, sections: [...dialog.sections, next] })
            .slice(0, before.length)
            .map((item) => JSON.stringify(item)),
        ).toEqual(before);
      }),
      runs,
    );
  });

  test("every call of an assistant is answered once, in the order of the file", () => {
    fc.assert(
      fc.property(dialogs, (dialog) => {
        const inFile = dialog.sections.flatMap((one) => (one.role === "assistant" ? one.parts.filter((each) => each.kind === "call") : []));
        expect(results(dialog)).toEqual(calls(dialog));
        expect(calls(dialog).length).toBe(inFile.length);
      }),
    );
  });

  test("no line that grants authority is sent", () => {
    const secret = "grant-4711";
    const lines = [{ key: "Authorized", value: secret }];
    fc.assert(
      fc.property(dialogs, (dialog) => {
        const granted: Dialog = {
          ...dialog,
          head: lines,
          sections: dialog.sections.map((one) => ({ ...one, head: lines, parts: [...one.parts, { kind: "meta", lines }] })),
        };
        expect(body(granted)).not.toContain(secret);
      }),
    );
  });
});

describe("fitted to a server's rules", () => {
  const fitted = { ...chatShape, alternate: true, shortIds: true, role: "user" } as const;

  test("user and assistant take turns, ids have nine letters, and the API takes it still", () => {
    fc.assert(
      fc.property(dialogs, nonsense, (dialog, system) => {
        const body = chatRequest(asking(dialog, system, "gpt-5.5"), fitted);
        expect(refusedChat(JSON.stringify(body), rules)).toBeNull();
        const roles = body.messages.map(({ role }) => role).filter((role) => role !== "tool");
        const calls = body.messages.map((message) => message.role === "assistant" && message.tool_calls !== undefined);
        roles.forEach((role, at) => role === "user" && expect(roles[at - 1]).not.toBe("user"));
        body.messages.forEach(({ role }, at) => {
          if (role === "assistant" && body.messages[at - 1]?.role === "assistant") expect(calls[at - 1]).toBe(true);
        });
        const ids = JSON.stringify(body.messages.map((message) => (message.role === "tool" ? message.tool_call_id : null)));
        expect(ids).toMatch(/^\[((null|"[a-z0-9]{9}"),?)*\]$/);
      }),
    );
  });
});
