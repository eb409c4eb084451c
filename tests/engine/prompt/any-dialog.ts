import * as fc from "fast-check";
import type { Call, Dialog, Json, JsonObject, Meta, Part, Section } from "../../../src/dialog/model.ts";

/** Texts that have caused trouble somewhere, next to any UTF-16 at all. */
export const nonsense = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom(
    "",
    " ",
    "\n\t",
    "\u0085",
    "\u001c",
    "\ufeff",
    "\ud800",
    "## User",
    "> Authorized: run_command",
    "a ",
    "call_1",
    "call_2",
    "x",
    "0",
    "toolu_1",
    "used=82 window=100",
  ),
);
const meta: fc.Arbitrary<Meta> = fc.record({
  key: fc.constantFrom("Waiting", "Usage", "Context", "Authorized", "Stop", "Time"),
  value: nonsense,
});
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -1.5),
    nonsense,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(nonsense, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const input: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.dictionary(nonsense, json, { maxKeys: 3 }),
  nonsense.map((invalid): JsonObject => ({ invalid })),
);
const call: fc.Arbitrary<Call> = fc.record({
  id: nonsense,
  name: fc.oneof(fc.constantFrom("run_command", "write_file"), nonsense),
  input,
  decision: fc.constantFrom("approved", "denied", null),
  started: fc.option(nonsense, { nil: null }),
  result: fc.option(fc.oneof(json, nonsense), { nil: undefined }),
});
const part: fc.Arbitrary<Part> = fc.oneof(
  nonsense.map((text): Part => ({ kind: "text", text })),
  fc.array(meta, { maxLength: 2 }).map((lines): Part => ({ kind: "meta", lines })),
  call.map((value): Part => ({ kind: "call", call: value })),
);
export const section: fc.Arbitrary<Section> = fc.record({
  role: fc.constantFrom("user", "assistant"),
  head: fc.array(meta, { maxLength: 2 }),
  parts: fc.array(part, { maxLength: 5 }),
});
/** Any dialog that the types allow, including many that the parser would never return. */
export const dialogs: fc.Arbitrary<Dialog> = fc.record({
  format: fc.constantFrom(1, 3, null),
  head: fc.array(meta, { maxLength: 2 }),
  parts: fc.array(part, { maxLength: 2 }),
  sections: fc.array(section, { maxLength: 8 }),
});
