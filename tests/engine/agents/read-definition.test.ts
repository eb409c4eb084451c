import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentTools, slugPattern } from "../../../src/engine/agents/definition.ts";
import { namingProblem, readDefinition, toSlug } from "../../../src/engine/agents/read-definition.ts";
import { path } from "../../fs/notation.ts";
import { lawRuns } from "../../law-runs.ts";

const read = (text: string, name = "vibey/agent-coder.md") => readDefinition(path(name), text);
const matter = (lines: string, body = "You code.") => read(`---\n${lines}\n---\n\n${body}\n`);

test("an agent of Vibey's own form", () => {
  const text = `---
name: coder
display_name: The Coder
description: "Reviews: code"
avatar_url: coder.png
model: claude/claude-sonnet-5
max_tokens: 8192
capabilities: [code, review]
is_active: true
tools: [vfs_read, vfs_list, edit_file]
agents: [reviewer]
max_turns: 12
timeout: 600
priority: 2
memory: true
context: 20
---

You are Coder.

Be brief.
`;
  expect(read(text)).toEqual({
    path: "vibey/agent-coder.md",
    slug: "coder",
    isSystem: false,
    fields: {
      displayName: "The Coder",
      description: "Reviews: code",
      avatarUrl: "coder.png",
      model: "claude/claude-sonnet-5",
      maxTokens: 8192,
      capabilities: ["code", "review"],
      isActive: true,
      tools: ["vfs_read", "vfs_list", "edit_file"],
      revoked: [],
      escalated: [],
      asksAgain: null,
      reads: null,
      writes: null,
      agents: ["reviewer"],
      maxTurns: 12,
      timeout: 600,
      memory: true,
      context: 20,
    },
    body: "You are Coder.\n\nBe brief.",
    problems: [],
    unused: [
      { key: "avatar_url", why: "Vibey shows an agent by its name." },
      { key: "priority", why: expect.stringContaining("Your own words go first") },
    ],
  });
});

test("a file without front matter is a prompt, called as the file", () => {
  const { slug, body, fields, problems } = read("You are Coder.\n");
  expect([slug, body, problems]).toEqual(["coder", "You are Coder.", []]);
  expect(fields).toMatchObject({ displayName: "Coder", tools: null, agents: null, isActive: true, model: null, maxTokens: null });
});

test.each<[name: string, text: string, slug: string]>([
  ["vibey/agent-coder.md", "---\nname: other\n---\n", "coder"],
  ["vibey/agent-Code Reviewer.md", "", "code-reviewer"],
  [".claude/agents/x.md", "---\nname: code-reviewer\n---\n", "code-reviewer"],
  [".claude/agents/code-reviewer.md", "---\nname: The Reviewer\n---\n", "code-reviewer"],
  ["agents/Writer.md", "", "writer"],
  [".github/agents/plan.agent.md", "---\ndescription: x\n---\n", "plan"],
  [".github/chatmodes/Plan Mode.chatmode.md", "", "plan-mode"],
  ["agents/日本.md", "", "agent"],
  ["agents/a.md", "---\nid: Studio-Id\nname: b\n---\n", "studio-id"],
  ["agents/_resolver.md", "", "_resolver"],
])("%s is called %s", (name, text, slug) => {
  expect(read(text, name).slug).toBe(slug);
});

test("a leading underscore, or is_system, makes it Vibey's own", () => {
  expect(read("", "vibey/agent-_resolver.md").isSystem).toBe(true);
  expect(matter("is_system: true").isSystem).toBe(true);
  expect(matter("name: coder").isSystem).toBe(false);
});

describe("tools", () => {
  test.each<[lines: string, tools: string | null]>([
    ["name: coder", null],
    ["tools: '*'", null],
    ["tools: []", ""],
    ["tools:", ""],
    ["tools: none-of-these", ""],
    [
      "tools: ['search/codebase', 'edit/editFiles', 'execute/runInTerminal', 'web/fetch']",
      "vfs_read vfs_list vfs_write edit_file run_command",
    ],
    ["tools: Read, Grep, Bash(git *), Task(reviewer, writer)", "vfs_read vfs_list run_command spawn_agent"],
    ["tools: [Write, write_file, vfs_write]", "vfs_write"],
    ["tools:\n  - edit\n  - shell", "edit_file run_command"],
    ["tools:\n  bash: false\n  write: true", "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent"],
    ["disallowedTools: Bash, Write", "vfs_read vfs_list edit_file spawn_agent signal_parent"],
    ["disallowedTools: vfs_write", "vfs_read vfs_list vfs_delete edit_file run_command spawn_agent signal_parent"],
    ["disallowedTools: Bash(rm *)", "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent"],
    ["tools: {write: false, bash: false}", "vfs_read vfs_list edit_file spawn_agent signal_parent"],
    ["tools: [azure-mcp/search, github/edit, a/b/read, edit/rename]", "edit_file"],
    ["tools: [execute/getTerminalOutput, read/problems, runCommands/terminalSelection, search/changes]", ""],
    ["tools: [execute/*, search/listDirectory, agent/runSubagent]", "vfs_list run_command spawn_agent"],
    ["tools: [list_files, exec_command]", "vfs_list run_command"],
    ["tools:\n  - #codebase\n  - #editFiles", ""],
    ["tools: [Read, {Bash: true}]", ""],
    ["tools:\n  - name: review\n    description: Reviews\n    prompt: Review {{it}}", null],
    ["tools:\n  - Read\n  - {name: review, prompt: Review}", "vfs_read"],
    ["tools: [{name: Read}]", ""],
    ["tools: Read, Bash\ndisallowedTools: [Bash]", "vfs_read"],
    ["permissionMode: plan", "vfs_read vfs_list"],
    ["tools: Read, Write\npermissionMode: plan", "vfs_read"],
    ["permissionMode: bypassPermissions", null],
    ["tools: Read\npermissionMode: acceptEdits", "vfs_read"],
    ["permission:\n  edit: deny\n  bash: ask", "vfs_read vfs_list run_command spawn_agent signal_parent"],
    ['permission: {edit: {"**/*": deny}}', "vfs_read vfs_list run_command spawn_agent signal_parent"],
    ['permission: {"*": deny, edit: allow}', "vfs_write edit_file"],
    [
      'permissions:\n  bash:\n    "*": deny\n  edit:\n    "**/*.env": deny\n  skill: {"*": deny}',
      "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent",
    ],
    ["permissions: {bash: {git: ask}, delete_files: false}", "vfs_read vfs_list vfs_write edit_file spawn_agent signal_parent"],
    ["permissions: {bash: {git: ask}, edit: perhaps}", ""],
    ["permission:\n  bash: allow", null],
    ["safety_mode: read_only", "vfs_read vfs_list"],
    ["tools: false", ""],
    ["tools: true", null],
    ["tools: 7", ""],
    ["tools: *", null],
    ['tools: {"*": false}', ""],
    ['tools: {"*": false, read: true}', "vfs_read"],
    ['tools: {"run*": no}', "vfs_read vfs_list vfs_write vfs_delete edit_file signal_parent"],
    ["tools: {bash: perhaps}", ""],
    ["permission: deny", ""],
    ["permission: allow", null],
    ["permission: perhaps", ""],
    ["permission: [bash]", ""],
    ['permission: {"*": deny}', ""],
    ['permission: {"*": deny, read: allow}', "vfs_read"],
    ['permission: {read: deny, "*": allow, bash: allow}', "vfs_list vfs_write vfs_delete edit_file run_command spawn_agent signal_parent"],
    ["permission: {read: DENY, bash: Off}", "vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent"],
    ["permission: {bash: perhaps}", ""],
    ['permission: {bash: {"*": deny, "git *": allow}}', "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent"],
    ['permission: {bash: {"rm *": deny}}', null],
    ['permission: {"*": deny, bash: {"git *": allow}, read: {"*": allow, .env: deny}}', "vfs_read"],
    ["disallowedTools:", null],
    ['disallowedTools: ["*"]', ""],
    ["disallowedTools: '*'", ""],
    ["disallowedTools: [Bash, Read", ""],
    ["disallowedTools: {Bash: true}", ""],
    ["tools: []\ntools: Bash", ""],
    ["Tools: []", ""],
    ["allowed-tools: Read", ""],
    ["allowed_tools: [Read, Write]", "vfs_read vfs_write"],
    ["blocked_tools: [Bash, vfs_delete]", "vfs_read vfs_list vfs_write edit_file spawn_agent signal_parent"],
    ["safety_mode: safe", "vfs_read vfs_list vfs_write edit_file signal_parent"],
    ["safety_mode: balanced", "vfs_read vfs_list vfs_write edit_file spawn_agent signal_parent"],
    ["safety_mode: gloves_off", null],
    ["safety_mode: wild", ""],
    [
      "permissions:\n  spawn_agents: false\n  delete_files: true",
      "vfs_read vfs_list vfs_write vfs_delete edit_file run_command signal_parent",
    ],
    ["permissions: {delete_files: false, edit_agents: false}", "vfs_read vfs_list vfs_write edit_file spawn_agent signal_parent"],
    ["permissions: {allow_all: true}", null],
    ["permissions: {fly: false}", ""],
    ["permissions: [spawn_agents]", "vfs_read vfs_list vfs_write edit_file spawn_agent"],
    ["permissions: []", "vfs_read vfs_list vfs_write edit_file"],
    ["permissions: none", ""],
    ["permissions: read-only", "vfs_read vfs_list"],
    ["permissions: {deny: [Bash, Write]}", "vfs_read vfs_list spawn_agent signal_parent"],
    ["permissions: 7", ""],
    ["writes: [artifacts/**]", "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent"],
    ['reads: ["**"]', null],
    ["reads: **", null],
    ["reads: 7", ""],
    ["writes: a\nwrites: b", ""],
  ])("%j", (lines, tools) => {
    expect(matter(lines).fields.tools?.join(" ") ?? null).toBe(tools);
  });

  test("what asks in another program asks here, too; what it allows is no permission", () => {
    expect(matter("permission:\n  bash: ask\n  edit:\n    '*.md': allow\n  write: allow").fields.revoked).toEqual([
      "vfs_delete",
      "edit_file",
      "run_command",
    ]);
  });

  test.each<[lines: string, reads: readonly string[] | null, writes: readonly string[] | null]>([
    ["reads: artifacts/**, ./memory/\nwrites:\n  - artifacts/*.md", ["artifacts/**", "memory/**"], ["artifacts/*.md"]],
    ["reads: false\nwrites: ['**/*']", [], null],
    ["writes: [a b, c]", null, ["c"]],
    ["safety_mode: safe\nreads: [docs/**]", ["docs/**"], ["memory/**", "artifacts/**"]],
    ["name: x", null, null],
  ])("%j limits the files", (lines, reads, writes) => expect(matter(lines).fields).toMatchObject({ reads, writes }));

  test.each<[lines: string, revoked: string, escalated: string, asksAgain: number | null]>([
    ["approve_actions: [write_file, commit]", "vfs_write edit_file run_command", "", null],
    ["escalate_actions:\n  - delete_data\n  - vfs_read", "vfs_read vfs_delete", "vfs_read vfs_delete", null],
    ["autonomous_actions: [run_command]", "", "", null],
    [
      "approval_rules:\n  - action: edit\n    requires: any_member\n    timeout: 600\n  - {action: run, timeout: 90}",
      "vfs_write edit_file run_command",
      "",
      90,
    ],
    ["approve_actions: {a: b}", agentTools.join(" "), "", null],
    ["approval_rules: 7", agentTools.join(" "), "", null],
    ["approve_actions: all", agentTools.join(" "), "", null],
  ])("%j moves tools up", (lines, revoked, escalated, asksAgain) => {
    const { fields } = matter(lines);
    expect([fields.revoked.join(" "), fields.escalated.join(" "), fields.asksAgain, fields.tools]).toEqual([
      revoked,
      escalated,
      asksAgain,
      null,
    ]);
  });

  test("what approval can't do here is listed", () => {
    const lines =
      "autonomous_actions: [read]\napprove_actions: [juggle]\napproval_rules: [{action: run, requires: admin}, {action: edit, requires: the cat}]";
    expect(matter(lines).unused.map(({ key, why }) => `${key}: ${why}`)).toEqual([
      "autonomous_actions: Only a line of yours lets something run without asking.",
      "approval_rules: requires admin: Vibey has no roles yet: you decide.",
      "approval_rules: requires the cat: Expected any_member, admin, specific_user. You decide.",
      "approve_actions: juggle: Vibey has no tool for this action.",
    ]);
  });

  test("agents in Task(…) and in agents: are those that it may start", () => {
    expect(matter("tools: Task(Reviewer, writer)\nagents: [coder, writer]").fields.agents).toEqual(["coder", "writer", "reviewer"]);
  });

  test("a name that means nothing is listed", () => {
    expect(matter("tools: Read, mcp__github__issues").unused).toEqual([
      { key: "tools: mcp__github__issues", why: "Vibey has no such tool." },
    ]);
  });
});

describe("a file that can't be read to its end gives no tools", () => {
  test.each<[text: string, tools: readonly string[] | null]>([
    [`---\ntools: []\n${"# x\n".repeat(17_000)}---\nx`, []],
    [`---\n${"a: 1\n".repeat(1_001)}---\nx`, []],
    ["---\ntools: []\nx", []],
    ["---\nname: x\n", []],
    [" ---\ntools: []\n---\nx", []],
    ["--- # mine\ntools: []\n---\nx", []],
    ["---\n tools: []\nname: x\n---\nx", []],
    ["---\nhello\n---\nx", []],
    ["-\u0000-\u0000-\u0000\n", []],
    ["---\nname: x\n? tools\n: []\n---\nx", []],
    ['---\nname: x\n"to\\u006fls": []\n---\nx', []],
    ["---\nname: x\n!!str tools: []\n---\nx", []],
    ["---\n{\ntools: []\n}\n---\nx", []],
    // Other spellings of the same.
    ["\n\n---\ntools: [Read]\n---\nx", ["vfs_read"]],
    ["---\n  tools: [Read]\n  name: x\n---\nx", ["vfs_read"]],
    ["---\n{tools: [Read], name: x}\n---\nx", ["vfs_read"]],
    ["---\rname: x\rtools: [Read]\r---\rx", ["vfs_read"]],
    // No front matter.
    ["", null],
    ["x\n---\ntools: []\n---\n", null],
    ["-----\nx\n", null],
    ["---\n# nothing\n---\nx", null],
  ])("%#: %.40j", (text, tools) => {
    const { fields, problems } = read(text);
    expect(fields.tools).toEqual(tools);
    expect(problems.length > 0).toBe(tools?.length === 0);
  });
});

describe("names of files", () => {
  test.each<[name: string, slug: string, isFine: boolean]>([
    ["agent-coder.md", "coder", true],
    ["agent-_a-b_2-.md", "_a-b_2-", true],
    [`agent-${"a".repeat(40)}.md`, "a".repeat(40), true],
    [`agent-${"a".repeat(41)}.md`, "a".repeat(40), false],
    ["agent-Coder.md", "coder", false],
    ["agent-code.reviewer.md", "code-reviewer", false],
    ["agent-a b.md", "a-b", false],
    ["agent--a.md", "a", false],
  ])("%s", (name, slug, isFine) => {
    const definition = read("", `vibey/${name}`);
    expect([definition.slug, definition.problems]).toEqual([slug, isFine ? [] : [namingProblem]]);
  });
});

test("numbers have a largest value", () => {
  expect(matter("max_tokens: 4000000000\nmax_turns: 5000\ntimeout: '3600000000'").fields).toMatchObject({
    maxTokens: 1_000_000,
    maxTurns: 1_000,
    timeout: 86_400,
  });
});

test("an agent whose list of agents can't be read starts none", () => {
  for (const lines of ["agents: false", "agents: {a: true}", "agents:"]) expect(matter(lines).fields.agents).toEqual([]);
});

test.each<[lines: string, fields: object]>([
  ["model: inherit", { model: null }],
  ["model: [gpt-5.5, claude-sonnet-5]", { model: "gpt-5.5" }],
  ["model: 4", { model: "4" }],
  ["is_active: false", { isActive: false }],
  ["is_active: 'no'", { isActive: false }],
  ["disable: true", { isActive: false }],
  ["maxTurns: 5", { maxTurns: 5 }],
  ["steps: 7", { maxTurns: 7 }],
  ["memory: user", { memory: true }],
  ["memory: false", { memory: false }],
  ["context: all", { context: "all" }],
  ["capabilities: code, review", { capabilities: ["code", "review"] }],
  ["max_tokens: '4096'", { maxTokens: 4096 }],
  ["prompt: From the key", {}],
])("%s", (lines, fields) => {
  expect(matter(lines).fields).toMatchObject(fields);
});

test("keys of other programs stay unused, with the reason; numbers and texts that are none are problems", () => {
  const { unused, problems, fields } = matter(
    "color: red\nhooks:\n  Stop: []\nfancy: 1\nmax_tokens: many\ntimeout: -1\ndescription:\n  a: b",
  );
  expect(unused.map(({ key, why }) => `${key} ${why}`)).toEqual([
    "color Vibey shows an agent by its name.",
    "hooks Hooks would run without your approval.",
    "fancy Vibey doesn't know this key.",
  ]);
  expect(problems).toEqual([
    "description: expected a text.",
    "max_tokens: expected a whole number above 0.",
    "timeout: expected a whole number above 0.",
  ]);
  expect(fields).toMatchObject({ description: "", maxTokens: null, timeout: null });
});

describe("front matter that isn't valid YAML", () => {
  test.each<[what: string, lines: string, description: string, tools: string, unused: string]>([
    ["unknown keys behind a known one stay keys", "description: A: b\ntools: Read\nmood: calm", "A: b", "vfs_read", "mood"],
    ["one of which isn't valid either", "tools: Read\nmood: calm: always\ndescription: A", "A", "vfs_read", "mood"],
    ["unknown keys before all known ones, too", "mood: calm: always\ntype: x\ndescription: A\ntools: Read", "A", "vfs_read", "mood type"],
    [
      "lines of a description are none",
      'description: Use it.\nContext: late\nuser: "a" b\ntools: Read',
      'Use it.\nContext: late\nuser: "a" b',
      "vfs_read",
      "",
    ],
  ])("%s", (_what, lines, description, tools, unused) => {
    const definition = matter(lines);
    expect(definition.fields.description).toBe(description);
    expect(definition.fields.tools?.join(" ")).toBe(tools);
    expect(definition.unused.map(({ key }) => key).join(" ")).toBe(unused);
  });

  test("a description with colons and examples, as many agent files have it", () => {
    const { fields, body, problems } = read(`---
name: code-reviewer
description: Use this agent when the user asks for a review. Examples: <example>Context: done.
user: "Please review"
Context: All is: done.
assistant: "I'll use the agent."</example>
model: sonnet
tools: Read, Grep
color: green
---

You review.
`);
    expect(fields).toMatchObject({ model: "sonnet", tools: ["vfs_read", "vfs_list"] });
    expect(fields.description).toBe(
      'Use this agent when the user asks for a review. Examples: <example>Context: done.\nuser: "Please review"\nContext: All is: done.\nassistant: "I\'ll use the agent."</example>',
    );
    expect(body).toBe("You review.");
    expect(problems).toEqual(["The value of description isn't valid YAML; it was read as plain text."]);
  });

  test.each<[what: string, text: string, body: string, problem: string]>([
    ["no end", "---\nname: coder\nYou code.", "---\nname: coder\nYou code.", "The front matter has no end: a line with --- is missing."],
    ["no keys", "---\nhello\n---\nYou code.", "You code.", "The front matter begins with a line that isn't `key: value`."],
    [
      "an alias",
      "---\ndescription: &a x\nname: *a\n---\nYou code.",
      "You code.",
      "The value of name isn't valid YAML; it was read as plain text.",
    ],
    [
      "a bomb",
      `---\ndescription: ${"x".repeat(70_000)}\n---\nYou code.`,
      "You code.",
      "The front matter is longer than 65,536 characters.",
    ],
  ])("%s", (_what, text, body, problem) => {
    const definition = read(text);
    expect([definition.body, definition.problems]).toEqual([body, [problem]]);
  });

  test("a mark of the byte order, CRLF, and three dots at the end", () => {
    const { fields, body } = read("\uFEFF---\r\nmodel: opus\r\ntools: Read\r\n...\r\n\r\nYou code.\r\n");
    expect([fields.model, fields.tools, body]).toEqual(["opus", ["vfs_read"], "You code."]);
  });
});

test("no text makes it fail; what it says is in its own form", () => {
  const piece = fc.constantFrom(
    "---",
    "\n",
    "\r\n",
    "name",
    "tools",
    "model",
    "description",
    "permission",
    ": ",
    ":",
    " ",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "a",
    "'",
    '"',
    "|",
    ">",
    "&a",
    "*a",
    "#",
    "!!binary",
    "true",
    "1e999",
    "__proto__",
    "constructor",
    "é",
    "\u0000",
    "\uFEFF",
    "\u2028",
    "Read",
    "Bash(x)",
    "<<",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 60 }).map((all) => `---\n${all.join("")}\n---\nbody`),
        fc.string(),
      ),
      (text) => {
        const { slug, fields, problems, unused } = read(text, ".claude/agents/x.md");
        expect(slug).toMatch(slugPattern);
        expect(fields.tools?.every((tool) => agentTools.some((one) => one === tool)) ?? true).toBe(true);
        for (const value of Object.values(fields)) expect(["string", "number", "boolean", "object"]).toContain(typeof value);
        for (const said of [...problems, ...unused.map(({ key }) => key)]) expect(typeof said).toBe("string");
      },
    ),
    lawRuns(500, 4),
  );
});

test("a list of any length is read in one pass", () => {
  const { fields } = matter(`capabilities: ${",(".repeat(15_000)}\ntools: ${"Read,".repeat(1_500)} Task(a, b)`);
  expect(fields.capabilities).toHaveLength(1);
  expect([fields.tools, fields.agents]).toEqual([
    ["vfs_read", "spawn_agent"],
    ["a", "b"],
  ]);
});

test.each([
  "[",
  "{",
  "{a: ",
  "- ",
  "? ",
  ": ",
  "- !a ",
  "- &a ",
  "&a ",
  "!a ",
  "*a ",
  "[a: ",
  "`\n ",
  ",\n ",
  "? - ",
  "# x\n",
  "%x\n",
  "a:\n",
  "\r\n",
  '"',
  "'",
  " \t",
])("much of %j is read in a moment", (piece) => {
  const before = process.cpuUsage().user;
  for (const text of [
    `---\ntools: ${piece.repeat(60_000 / piece.length)}\n---\nx`,
    `---\ntools:\n${` ${piece}`.repeat(20)}${piece.repeat(8_000 / piece.length)}\n---\nx`,
    piece.repeat(30_000),
    `---\n${`a: ${piece.repeat(1_000 / piece.length)}\n`.repeat(60)}---\nx`,
  ])
    expect(read(text).slug).toBe("coder");
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000);
});

test("any text can be made a slug", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(toSlug(text)).toMatch(slugPattern);
    }),
  );
});
