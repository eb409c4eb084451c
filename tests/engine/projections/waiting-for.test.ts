import { expect, test } from "vitest";
import { waitingFor } from "../../../src/engine/projections/waiting-for.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";

const call = (decision: string) => `\n---\nTool request: run_command [toolu_1]\n\n    {"command": "ls"}\n\n${decision}---\n`;
const result = 'Decision: approved\nStarted: 2026-11-21T20:11:20.511Z\nResult:\n\n    {"success": true}\n\n';

test.each([
  ["waiting", "", null, "word"],
  ["waiting", "text\n", null, "word"],
  ["waiting", "text\n\n> Waiting: Which colour?\n", null, "question"],
  ["waiting", call(""), null, "leave"],
  ["waiting", call("Decision: denied\n\n"), null, "word"],
  ["waiting", call(result), "interrupted", "interrupted"],
  ["waiting", "text\n", "interrupted", "interrupted"],
  ["waiting", "text\n", "aborted", "stopped"],
  ["waiting", "text\n", "error overloaded", "failed"],
  ["waiting", call(""), "interrupted", "leave"],
  ["active", call(""), null, null],
  ["done", call(""), null, null],
] as const)("%s, %j, stop %s: %s", (status, said, stop, expected) => {
  const assistant = said === "" ? "" : `\n## Assistant\n> Time: 2026-11-21T20:11:01.120Z - 2026-11-21T20:11:14.002Z\n\n${said}`;
  const end = stop === null ? "" : `\n> Stop: ${stop}\n`;
  const dialog = parseDialog(`# Dialog\n> Format: 1\n\n## User\n> Time: 2026-11-21T20:11:00.000Z\n\nhi\n${assistant}${end}`);
  expect(waitingFor({ status, dialog })).toBe(expected);
});
