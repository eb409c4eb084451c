import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planImport } from "../../../src/engine/agents/import/plan-import.ts";
import { readDefinition } from "../../../src/engine/agents/read-definition.ts";
import { lawRuns } from "../../law-runs.ts";
import { path } from "../../fs/notation.ts";

const words =
  "constructor __proto__ toString prompt tools permission permissions name slug agents system_prompt model description * bash edit deny allow ask p _x ../x vibey/agent-x --- &a *a {file:../doc-main.md} @ é".split(
    " ",
  );
const word = fc.constantFrom(...words);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(word, fc.boolean(), fc.constant(null), fc.integer()),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 4 }),
  ),
}));
const json = value.map((one) => JSON.stringify(one));
const config = fc
  .record({ agent: fc.dictionary(word, value, { maxKeys: 4 }), permission: value, tools: value }, { requiredKeys: [] })
  .map((one) => JSON.stringify(one));
const markdown = fc
  .tuple(fc.array(fc.tuple(word, json), { maxLength: 4 }), fc.constantFrom("Body", "", "---"))
  .map(([lines, body]) => `---\n${lines.map(([key, said]) => `${key}: ${said}`).join("\n")}\n---\n${body}`);
const yaml = fc.oneof(
  json.map((one) => `agents: ${one}`),
  fc.tuple(word, json).map(([key, said]) => `agents:\n  - slug: a\n    ${key}: ${said}\n    system_prompt: x\n`),
);

test("law: no files make an import fail, reach what is the user's, or give tools to an agent whose own restrictions can't be read", () => {
  const own = ".opencode/agents/p.md";
  fc.assert(
    fc.property(config, markdown, yaml, fc.boolean(), (setup, file, list, isOpenClaw) => {
      const files = [
        { path: "opencode.json", text: setup },
        { path: own, text: file },
        { path: "team.yaml", text: list },
      ];
      const { writes } = planImport(isOpenClaw ? [...files, { path: "SOUL.md", text: file }] : files, new Map());
      const paths = writes.map((write) => path(write.path).toLowerCase());
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.filter((one) => /^vibey\/(?:agent|dialog|doc-main)/.test(one))).toEqual([]);
      const { fields, problems } = readDefinition(path(own), file);
      const isUnclear = fields.tools?.length === 0 && problems.length > 0;
      const merged = writes.find((write) => write.path === own);
      if (isUnclear && merged) expect(readDefinition(path(own), merged.text).fields.tools).toEqual([]);
    }),
    lawRuns(200, 20),
  );
});

// With patterns that try again at every character, each of these took minutes.
test.each([
  ["IDENTITY.md", `# Max\n${"*".repeat(190_000)}\n- **Role:** Helper`, "Helper"],
  ["IDENTITY.md", `# Max\n${"\n* ".repeat(60_000)}\n**Role**: **Helper**`, "Helper"],
])("a long %s is read in one pass", (name, text, role) => {
  const { writes } = planImport(
    [
      { path: "SOUL.md", text: "You are Max." },
      { path: name, text },
    ],
    new Map(),
  );
  expect(writes.map((write) => write.text).join("")).toContain(role);
});

test.each(['\\"', '"', "/*", ",", '{"agent":', "//"])("a configuration of %j, over and over, is none", (part) => {
  const { writes, unused } = planImport([{ path: "opencode.json", text: part.repeat(190_000 / part.length) }], new Map());
  expect([writes, unused]).toEqual([[], [{ path: "opencode.json", why: "It can't be read as JSON." }]]);
});
