import { expect, test } from "vitest";
import { parseAuthorizations, parseDecisions } from "../../src/dialog/sentinel.ts";

test.each<[string, string, [string, string][]]>([
  [
    "between sentinels",
    "əəə\ntoolu_1: approve\ntoolu_2: deny\nəəə\n",
    [
      ["toolu_1", "approve"],
      ["toolu_2", "deny"],
    ],
  ],
  ["without them", "toolu_1: approve", [["toolu_1", "approve"]]],
  [
    "with spaces, CRs and any case",
    " ƏƏƏ \r\n  a :  APPROVE \r\n\tb:Deny\r\nəəə",
    [
      ["a", "approve"],
      ["b", "deny"],
    ],
  ],
  ["outside of them nothing counts", "a: approve\nəəə\nb: approve\nəəə\nc: approve", [["b", "approve"]]],
  ["a sentinel that is not closed", "əəə\na: approve", [["a", "approve"]]],
  [
    "comments, blank and unknown lines",
    "# a: approve\n\na: perhaps\na approve\n: approve\na b: approve\nb: approved\nc: approve # x\nd: deny",
    [["d", "deny"]],
  ],
  ["the last line about an id", "a: approve\na: deny", [["a", "deny"]]],
  ["nothing", "", []],
])("decisions: %s", (_name, text, expected) => {
  expect([...parseDecisions(text)]).toEqual(expected);
});

test.each<[string, string, [string, string][]]>([
  [
    "between sentinels",
    "əəə\nallow run_command\nallow edit_file\nəəə\n",
    [
      ["run_command", "allow"],
      ["edit_file", "allow"],
    ],
  ],
  [
    "in any case",
    "ALLOW a\nDeny  b",
    [
      ["a", "allow"],
      ["b", "deny"],
    ],
  ],
  ["names keep theirs", "allow Run", [["Run", "allow"]]],
  ["no star, no list", "allow *\nallow a, b\nallow a b\nallow\nallow a.b", []],
  ["the last line about a tool", "allow a\ndeny a", [["a", "deny"]]],
])("authorizations: %s", (_name, text, expected) => {
  expect([...parseAuthorizations(text)]).toEqual(expected);
});
