import { expect, test } from "vitest";
import { decisionBody, reasonText, revokeBody } from "../../../src/app/calls/decisions.ts";

const [ls, rm] = [
  { id: "toolu_1", hash: "aa" },
  { id: "toolu_2", hash: "bb" },
];

test("a decision names each call, and the hash of what was on the screen", () => {
  const body = decisionBody("20261121-201100-plan", [
    { call: ls, choice: "approve" },
    { call: rm, choice: "deny" },
  ]);
  expect(body).toEqual({
    dialogId: "20261121-201100-plan",
    decisions: "əəə\ntoolu_1: approve\ntoolu_2: deny\nəəə",
    hashes: { toolu_1: "aa", toolu_2: "bb" },
  });
});

test("always allowing a tool goes with it", () => {
  expect(decisionBody("d", [{ call: ls, choice: "approve" }], ["run_command", "edit_file"]).authorizations).toBe(
    "əəə\nallow run_command\nallow edit_file\nəəə",
  );
});

test.each([
  ["", undefined],
  ["  \n", undefined],
  ["Not on a Sunday.", "Not on a Sunday."],
])("a reason for a denial is the prompt: %j", (reason, prompt) => {
  const body = decisionBody("d", [{ call: rm, choice: "deny" }], [], reason);
  // The reason goes to the agent that asked, whoever else it names.
  expect([body.prompt, body.mentions]).toEqual([prompt, prompt === undefined ? undefined : []]);
});

test("an authorization is taken back in the same words", () => {
  expect(revokeBody("d", "run_command")).toEqual({ dialogId: "d", authorizations: "əəə\ndeny run_command\nəəə" });
});

test.each([
  ["one denial: its reason alone", ["approve", "deny Not here."], "Not here."],
  ["one denial without a reason", ["approve", "deny"], ""],
  ["a reason that was written before the call was approved", ["approve No.", "deny"], ""],
  [
    "two denials: each names its call",
    ["deny Not here.", "approve", "deny Too large."],
    "About call 1 of 3 (edit_file): Not here.\n\nAbout call 3 of 3 (edit_file): Too large.",
  ],
  ["two denials, one reason", ["deny", "deny Too large."], "About call 2 of 2 (edit_file): Too large."],
])("the reasons as a message: %s", (_, drawn, expected) => {
  const decided = drawn.map((one) => {
    const [, choice, reason = ""] = /^(approve|deny) ?(.*)$/.exec(one) ?? [];
    return { call: { tool: "edit_file" }, choice: choice === "approve" ? ("approve" as const) : ("deny" as const), reason };
  });
  expect(reasonText(decided)).toBe(expected);
});
