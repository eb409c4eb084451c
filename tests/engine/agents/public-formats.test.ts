import { describe, expect, test } from "vitest";
import { agentTools } from "../../../src/engine/agents/definition.ts";
import { planImport } from "../../../src/engine/agents/import/plan-import.ts";
import { readDefinition } from "../../../src/engine/agents/read-definition.ts";
import { path as asPath } from "../../fs/notation.ts";

/** Files as these programs write them, with mistakes that people make. */
interface Case {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly slug: string;
  readonly model?: string | null;
  readonly tools: string | null;
  readonly description: string | RegExp;
  readonly body: string | RegExp;
  /** The number of problems, and the keys without a use. */
  readonly problems?: number;
  readonly unused?: string;
  readonly more?: object;
}

const cases: readonly Case[] = [
  {
    what: "Claude Code, with examples in a description without quotes",
    file: ".claude/agents/code-reviewer.md",
    text: `---
name: code-reviewer
description: Use this agent when code was written. Examples: <example>Context: a function was added. user: "I added login" assistant: "Let me use the code-reviewer: it checks." </example>
tools: Read, Grep, Glob, Bash
model: sonnet
color: pink
---

You are an elite reviewer.
`,
    slug: "code-reviewer",
    model: "sonnet",
    tools: "vfs_read vfs_list run_command",
    description: /^Use this agent when code was written\. Examples: <example>/,
    body: "You are an elite reviewer.",
    problems: 1,
    unused: "color",
  },
  {
    what: "Claude Code, CRLF and a byte order mark",
    file: ".claude/agents/debugger.md",
    text: "\uFEFF---\r\nname: debugger\r\ndescription: Finds bugs\r\ntools: Read, Edit, Bash\r\nmodel: inherit\r\n---\r\n\r\nYou debug.\r\nStep by step.\r\n",
    slug: "debugger",
    model: null,
    tools: "vfs_read edit_file run_command",
    description: "Finds bugs",
    body: "You debug.\r\nStep by step.",
  },
  {
    what: "Claude Code, newer keys",
    file: ".claude/agents/db/reader.md",
    text: `---
name: db-reader
description: Runs read-only queries
tools:
  - Bash
  - Read
  - mcp__postgres__query
disallowedTools: Write, Edit
permissionMode: bypassPermissions
maxTurns: 20
memory: project
skills:
  - sql
mcpServers:
  postgres:
    command: npx
hooks:
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: ./validate.sh
background: true
isolation: worktree
effort: high
---
You read databases.
`,
    slug: "db-reader",
    tools: "vfs_read run_command",
    description: "Runs read-only queries",
    body: "You read databases.",
    unused: "skills mcpServers hooks background isolation effort tools: mcp__postgres__query",
    more: { maxTurns: 20, memory: true },
  },
  {
    what: "Claude Code, a key twice and a tab for an indent",
    file: ".claude/agents/tabs.md",
    text: "---\nname: tabs\ndescription: First\ndescription: Second\ncapabilities:\n\t- one\n\t- two\ntools: Read\n---\nYou use tabs.\n",
    slug: "tabs",
    tools: "vfs_read",
    description: "Second",
    body: "You use tabs.",
    problems: 1,
  },
  {
    what: "Claude Code, tools twice: none, since the one may take away what the other gives",
    file: ".claude/agents/twice.md",
    text: "---\nname: twice\ndescription: x\ntools: Read\ntools: Read, Bash\n---\nYou do.\n",
    slug: "twice",
    tools: "",
    description: "x",
    body: "You do.",
    problems: 2,
  },
  {
    what: "Claude Code, a plan agent with agents of its own",
    file: ".claude/agents/lead.md",
    text: "---\nname: lead\ndescription: 'It''s the lead'\ntools: Task(reviewer, tester), Read\npermissionMode: plan\n---\nYou lead.\n",
    slug: "lead",
    tools: "vfs_read",
    description: "It's the lead",
    body: "You lead.",
    more: { agents: ["reviewer", "tester"] },
  },
  {
    what: "Claude Code, no end of the front matter",
    file: ".claude/agents/open.md",
    text: "---\nname: open\ndescription: never ends\ntools: Read\n\nYou never end.\n",
    slug: "open",
    tools: "",
    description: "",
    body: /^---\nname: open/,
    problems: 1,
  },
  {
    what: "Copilot, an agent with handoffs",
    file: ".github/agents/planner.agent.md",
    text: `---
description: 'Generate an implementation plan for new features or refactoring existing code.'
name: Planner
tools: ['search', 'fetch', 'githubRepo', 'usages', 'agent']
model: ['Claude Sonnet 4.5', 'GPT-5']
argument-hint: What should be planned?
user-invokable: true
handoffs:
  - label: Implement Plan
    agent: implementation
    prompt: Implement the plan outlined above.
    send: false
target: vscode
---
# Planning instructions

You are in planning mode.
`,
    slug: "planner",
    model: "Claude Sonnet 4.5",
    tools: "vfs_read vfs_list spawn_agent",
    description: "Generate an implementation plan for new features or refactoring existing code.",
    body: /^# Planning instructions/,
    unused: "argument-hint handoffs target tools: fetch tools: githubRepo",
  },
  {
    what: "VS Code, a chat mode with tools of sets and a colon in its description",
    file: ".github/chatmodes/4.1-Beast.chatmode.md",
    text: "---\ndescription: GPT 4.1 as a coding agent: persistent\ntools: ['codebase', 'editFiles', 'runCommands', 'edit/createFile', 'problems']\nmodel: GPT-4.1\n---\nYou are an agent - keep going.\n",
    slug: "4-1-beast",
    model: "GPT-4.1",
    tools: "vfs_read vfs_list vfs_write edit_file run_command",
    description: "GPT 4.1 as a coding agent: persistent",
    body: "You are an agent - keep going.",
    problems: 1,
    unused: "tools: problems",
  },
  {
    what: "Copilot, an organisation's agent with MCP servers",
    file: ".github/agents/docs.md",
    text: '---\nname: docs-writer\ndescription: Writes docs\ntools: ["read", "edit", "custom-mcp/tool-1"]\nmcp-servers:\n  custom-mcp:\n    type: \'local\'\n    command: \'some-command\'\n---\nYou write docs.\n',
    slug: "docs-writer",
    tools: "vfs_read edit_file",
    description: "Writes docs",
    body: "You write docs.",
    unused: "mcp-servers tools: custom-mcp/tool-1",
  },
  {
    what: "opencode, permissions by tool",
    file: ".opencode/agent/review.md",
    text: `---
description: Reviews code for quality and best practices
mode: subagent
model: anthropic/claude-sonnet-4-20250514
temperature: 0.1
steps: 12
permission:
  edit: deny
  bash:
    "*": ask
    "git diff": allow
    "git log*": allow
  webfetch: deny
---

You are in code review mode.
`,
    slug: "review",
    model: "anthropic/claude-sonnet-4-20250514",
    tools: "vfs_read vfs_list run_command spawn_agent signal_parent",
    description: "Reviews code for quality and best practices",
    body: "You are in code review mode.",
    unused: "temperature",
    more: { revoked: ["run_command"], maxTurns: 12 },
  },
  {
    what: "opencode, the older map of tools, switched off",
    file: ".opencode/agents/docs.md",
    text: "---\ndescription: Writes\ntools:\n  write: true\n  edit: true\n  bash: false\ndisable: true\nhidden: true\ntop_p: 0.9\n---\nYou write.\n",
    slug: "docs",
    tools: "vfs_read vfs_list vfs_write vfs_delete edit_file spawn_agent signal_parent",
    description: "Writes",
    body: "You write.",
    unused: "top_p",
    more: { isActive: false },
  },
  {
    what: "Gemini CLI, a subagent",
    file: ".gemini/agents/security-auditor.md",
    text: "---\nname: security-auditor\ndescription: Specialized in finding security vulnerabilities in code.\nkind: local\ntools:\n  - read_file\n  - grep_search\n  - run_shell_command\nmodel: gemini-3-flash-preview\ntemperature: 0.2\nmax_turns: 10\ntimeout_mins: 5\n---\n\nYou are a ruthless Security Auditor.\n",
    slug: "security-auditor",
    model: "gemini-3-flash-preview",
    tools: "vfs_read vfs_list run_command",
    description: "Specialized in finding security vulnerabilities in code.",
    body: "You are a ruthless Security Auditor.",
    unused: "kind temperature",
    more: { maxTurns: 10, timeout: 300 },
  },
  {
    what: "Cursor, a rule with a glob that isn't valid YAML",
    file: ".cursor/rules/react.mdc",
    text: "---\ndescription: React components\nglobs: *.tsx, *.jsx\nalwaysApply: false\n---\n\n- Use functional components.\n",
    slug: "react",
    tools: null,
    description: "React components",
    body: "- Use functional components.",
    problems: 1,
    unused: "globs alwaysApply",
  },
  {
    what: "Cursor, a subagent that may only read",
    file: ".cursor/agents/verifier.md",
    text: "---\nname: verifier\ndescription: Validates completed work.\nmodel: fast\nreadonly: true\nis_background: false\n---\n\nYou are a skeptical validator.\n",
    slug: "verifier",
    model: "fast",
    tools: "vfs_read vfs_list",
    description: "Validates completed work.",
    body: "You are a skeptical validator.",
    unused: "is_background",
  },
  {
    what: "Agent Studio, limits on files and permissions",
    file: "agents/writer.md",
    text: '---\nid: writer\nname: Writer\nmodel: gemini-2.5-flash\nsafety_mode: balanced\nreads:\n  - "**"\nwrites:\n  - artifacts/**\npermissions:\n  spawn_agents: false\n  delete_files: false\n  web_access: false\n---\n\nWrite to artifacts/.\n',
    slug: "writer",
    model: "gemini-2.5-flash",
    tools: "vfs_read vfs_list vfs_write edit_file signal_parent",
    description: "",
    body: "Write to artifacts/.",
    more: { displayName: "Writer", reads: null, writes: ["artifacts/**"] },
  },
  {
    what: "Agent Studio, a safe one with a list of permissions and blocked tools",
    file: "agents/scout.md",
    text: '---\nid: scout\nname: Scout\nsafety_mode: safe\npermissions: [signal_parent]\nblocked_tools: [vfs_write]\ngloves_off_triggers: ["full power"]\n---\nLook around.\n',
    slug: "scout",
    tools: "vfs_read vfs_list edit_file signal_parent",
    description: "",
    body: "Look around.",
    unused: "gloves_off_triggers",
    more: { reads: ["agents/**", "memory/**", "artifacts/**"], writes: ["memory/**", "artifacts/**"] },
  },
  {
    what: "a trust configuration, with an indent that is wrong",
    file: "agents/ops.md",
    text: "---\nname: ops\ndescription: Deploys\nautonomous_actions: [read, respond]\napprove_actions: [commit code]\nescalate_actions:\n - delete data\n   - spend money\n---\nYou deploy.\n",
    slug: "ops",
    tools: null,
    description: "Deploys",
    body: "You deploy.",
    unused: "autonomous_actions",
    problems: 0,
  },
  {
    what: "a body that has lines of three hyphens and authority lines of its own",
    file: ".claude/agents/rules.md",
    text: "---\nname: rules\ndescription: Rules\ntools: []\n---\n\nOne\n\n---\n\n> Authorized: run_command\n",
    slug: "rules",
    tools: "",
    description: "Rules",
    body: "One\n\n---\n\n> Authorized: run_command",
  },
  {
    what: "a description over several lines, folded, with Windows' line ends",
    file: ".claude/agents/folded.md",
    text: '---\r\nname: folded\r\ndescription: >-\r\n  Several lines\r\n  in one: folded\r\ntools: "Read, LS"\r\n---\r\nFold.\r\n',
    slug: "folded",
    tools: "vfs_read vfs_list",
    description: "Several lines in one: folded",
    body: "Fold.",
  },
];

describe("agent files of other programs are read as they are meant", () => {
  test.each(cases.map((one) => [one.what, one] as const))("%s", (_what, one) => {
    const { writes, unused } = planImport([{ path: one.file, text: one.text }], new Map());
    expect(unused).toEqual([]);
    expect(writes.map(({ text }) => text)).toEqual([one.text]);
    const definition = readDefinition(asPath(writes[0]?.path ?? ""), one.text);
    const { fields } = definition;
    expect.soft(definition.slug).toBe(one.slug);
    expect.soft(fields.tools?.join(" ") ?? null).toBe(one.tools);
    if (one.model !== undefined) expect.soft(fields.model).toBe(one.model);
    expect.soft(fields.description).toEqual(typeof one.description === "string" ? one.description : expect.stringMatching(one.description));
    expect.soft(definition.body).toEqual(typeof one.body === "string" ? one.body : expect.stringMatching(one.body));
    expect.soft(definition.unused.map(({ key }) => key).join(" ")).toBe(one.unused ?? "");
    expect.soft([definition.problems.length, definition.problems]).toEqual([one.problems ?? 0, definition.problems]);
    expect(fields).toMatchObject(one.more ?? {});
  });
});

const planned = (files: Record<string, string>, existing: Record<string, string> = {}) =>
  planImport(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    new Map(Object.entries(existing)),
  );
const agentsOf = (plan: ReturnType<typeof planned>) => plan.writes.map(({ path, text }) => readDefinition(asPath(path), text));

describe("lists of agents in YAML", () => {
  test("OpenVibe: one file each, named by its slug; Vibey's own work stays its own", () => {
    const plan = planned({
      "seeds/agent-configs.yaml": `# seeds
agents:
  - name: Vibe
    slug: vibe
    display_name: Vibe
    description: General-purpose AI teammate
    model: claude-sonnet-4-5
    max_tokens: 4096
    capabilities: [general, analysis]
    system_prompt: |
      You are Vibe.

      CONSTRAINTS:
      - Be direct: skip pleasantries.
  - name: fork-resolver
    slug: _fork-resolver
    is_system: true
    system_prompt: x
  - just text
`,
    });
    expect(plan.writes.map(({ path }) => path)).toEqual(["agents/vibe.md"]);
    expect(agentsOf(plan)[0]).toMatchObject({
      slug: "vibe",
      body: "You are Vibe.\n\nCONSTRAINTS:\n- Be direct: skip pleasantries.",
      fields: { displayName: "Vibe", model: "claude-sonnet-4-5", maxTokens: 4096, capabilities: ["general", "analysis"] },
      problems: [],
    });
    expect(plan.unused.map(({ path }) => path)).toEqual(["agent-configs.yaml: agent 2 (_fork-resolver)", "agent-configs.yaml: agent 3"]);
  });

  test.each([
    ["name: code-helper\n    slug: coder", "coder", "code-helper"],
    ["name: Code Helper", "code-helper", "Code Helper"],
    ["id: 123e4567-e89b-42d3-a456-426614174000\n    name: coder", "coder", "Coder"],
    ["id: other\n    name: Coder\n    slug: c_1\n    display_name: The Coder", "c_1", "The Coder"],
  ])("%j is adopted by the slug that its file has", (keys, slug, displayName) => {
    const lists = {
      "a.yaml": `agents:\n  - ${keys}\n    system_prompt: x\n`,
      "crew.yaml": `${slug}:\n    ${keys}\n    role: x\n    goal: y\n`,
    };
    for (const [name, text] of Object.entries(lists)) {
      const plan = planned({ [name]: text });
      expect(plan.writes.map(({ path }) => path)).toEqual([`agents/${slug}.md`]);
      expect(agentsOf(plan)).toMatchObject([{ slug, fields: { displayName }, unused: [], problems: [] }]);
    }
  });

  test("the same with tabs, CRLF, a byte order mark, and colons in texts without quotes", () => {
    const text =
      "\uFEFFagents:\r\n\t- name: coder\r\n\t  description: Code: reviews # and more\r\n\t  system_prompt: |\r\n\t    You code: well.\r\n\t    Really.\r\n";
    expect(agentsOf(planned({ "a.yml": text }))[0]).toMatchObject({
      slug: "coder",
      body: "You code: well.\nReally.",
      fields: { description: "Code: reviews # and more" },
    });
  });

  test("a list whose names have no letters for a slug is called by its ids", () => {
    const plan = planned({
      "agents.yaml": "agents:\n  - id: class-monitor\n    name: AI班务助理\n    system_prompt: 好\n  - name: Révision\n    prompt: x\n",
    });
    expect(plan.writes.map(({ path }) => path)).toEqual(["agents/class-monitor.md", "agents/revision.md"]);
    expect(agentsOf(plan)[0]).toMatchObject({ slug: "class-monitor", fields: { displayName: "AI班务助理" }, body: "好" });
  });

  test("CrewAI: a key for each", () => {
    const plan = planned({
      "config/agents.yaml":
        "researcher:\n  role: >\n    Senior Data Researcher\n  goal: >\n    Uncover cutting-edge developments\n  backstory: You're seasoned.\n  llm: openai/gpt-5.5\n  max_iter: 5\n  allow_delegation: false\nwriter:\n  role: Writer\n  goal: Write\n  backstory: Old.\n",
    });
    expect(agentsOf(plan).map(({ slug }) => slug)).toEqual(["researcher", "writer"]);
    expect(agentsOf(plan)[0]).toMatchObject({
      body: "You are Senior Data Researcher.\n\nGOAL: Uncover cutting-edge developments\n\nBACKGROUND: You're seasoned.",
      fields: { description: "Senior Data Researcher", model: "openai/gpt-5.5", maxTurns: 5 },
      unused: [{ key: "allow_delegation", why: "Vibey doesn't know this key." }],
    });
  });

  test.each([
    ["a: [", /^It can't be read as YAML: /],
    ["agents: none", /^It lists no agents/],
    ["- 1\n- 2", /^Expected keys/],
    ["x: &a [1]\nagents: [*a]", /^It can't be read as YAML: /],
    // Reading these would overflow the stack inside a RegExp, which ends the tab's process and not just the import.
    [`agents: ${"[".repeat(50_000)}`, /^It can't be read as YAML: it is nested too deep\.$/],
    [`agents: ${"{a: ".repeat(20_000)}`, /^It can't be read as YAML: it is nested too deep\.$/],
    [`agents:\n${"- ".repeat(40_000)}`, /^It can't be read as YAML: it is nested too deep\.$/],
    ["? ".repeat(40_000), /^It can't be read as YAML: it is nested too deep\.$/],
    ["x".repeat(100_001), /^The file is longer/],
  ])("%.30j is told of", (text, why) => {
    const plan = planned({ "a.yaml": text });
    expect(plan.writes).toEqual([]);
    expect(plan.unused[0]?.why).toMatch(why);
  });

  test("is read up to a length in one import, and the rest is named", () => {
    const files = Array.from({ length: 30 }, (_, at) => [`${at}.yaml`, "x".repeat(90_000)]);
    const { unused } = planned({ ...Object.fromEntries(files), "last.yaml": "agents:\n  - name: last\n    prompt: x\n" });
    expect(unused.filter(({ why }) => why.startsWith("The files before it")).map(({ path }) => path)).toEqual(
      files.slice(2).map(([path]) => path),
    );
    expect(unused.map(({ path }) => path)).not.toContain("last.yaml");
  });
});

describe("agents in opencode's configuration", () => {
  const without = (...gone: string[]) => agentTools.filter((tool) => !gone.includes(tool));
  const config = `{
  // the team
  "permission": { "bash": "ask", "edit": "deny" },
  "tools": { "write": false },
  "agent": {
    "Tech Lead": { "description": "Leads // plans", "model": "x/y", "prompt": "Lead.", "permission": { "edit": "ask" }, },
    "writer": { "prompt": "{file:./prompts/writer.txt}", "tools": { "write": true, "bash": false } },
    "build": { "temperature": 0.3 },
    "tester": { "prompt": "{file:../test.md}" },
    "_own": { "prompt": "x" }, /* reserved */
  },
}`;
  const plan = planned({ "p/.opencode/opencode.jsonc": config, "p/.opencode/prompts/writer.txt": "Write.\n", "p/x.md": "x" });

  test("become a file each, with what the configuration denies to all", () => {
    expect(plan.writes.map(({ path }) => path)).toEqual(["agents/tech-lead.md", "agents/writer.md"]);
    expect(agentsOf(plan)).toMatchObject([
      {
        slug: "tech-lead",
        body: "Lead.",
        fields: {
          displayName: "Tech Lead",
          description: "Leads // plans",
          model: "x/y",
          revoked: ["vfs_write", "vfs_delete", "edit_file", "run_command"],
        },
      },
      {
        slug: "writer",
        body: "Write.",
        fields: { tools: ["vfs_read", "vfs_list", "spawn_agent", "signal_parent"], revoked: ["run_command"] },
      },
    ]);
    expect(agentsOf(plan)[0]?.fields.tools).not.toContain("vfs_write");
  });

  test.each([
    ['{"bash": {"*": "deny"}}', '{"bash": {"git *": "allow"}}', false],
    ['{"bash": "deny"}', '{"bash": {"git *": "allow"}}', false],
    ['"deny"', '{"bash": {"git *": "allow"}}', false],
    ['"deny"', '{"bash": "allow"}', true],
    ['{"bash": "deny"}', '{"bash": "allow"}', true],
    ['{"bash": "deny"}', "null", false],
    ['{"bash": "deny"}', '"allow"', false],
    ['{"bash": "ask"}', "[]", false],
    ['{"bash": "deny"}', '{"constructor": {"a": "allow"}, "__proto__": {"bash": "allow"}}', false],
  ])("%s for all and %s for one: it may run commands, %s", (all, own, can) => {
    const [agent] = agentsOf(planned({ "opencode.json": `{"permission": ${all}, "agent": {"a": {"prompt": "x", "permission": ${own}}}}` }));
    expect(agent?.fields.tools?.includes("run_command") ?? true).toBe(can);
  });

  const planFile = ".opencode/agents/plan.md";
  const together = (json: string, text: string) => planned({ [planFile]: text, "opencode.json": json });

  test.each<[json: string, text: string, fields: object]>([
    // For keys in both, the Markdown file wins; keys in only one of them are kept.
    [
      '{"agent": {"plan": {"model": "a/b", "description": "Old", "steps": 4, "prompt": "Old."}}}',
      "---\ndescription: Plans: well\nmode: primary\n---\nPlan.",
      { description: "Plans: well", model: "a/b", maxTurns: 4 },
    ],
    ['{"agent": {"plan": {"tools": {"bash": false}}}}', "Plan.", { tools: without("run_command") }],
    [
      '{"agent": {"plan": {"tools": {"bash": false, "write": false}}}}',
      "---\ntools: {write: true}\n---\nPlan.",
      { tools: without("run_command") },
    ],
    ['{"permission": {"bash": "deny"}, "agent": {}}', "---\npermission: {edit: ask}\n---\nPlan.", { tools: without("run_command") }],
    ['{"permission": "deny"}', "---\npermission: {read: allow}\n---\nPlan.", { tools: ["vfs_read"] }],
    ['{"agent": {"plan": {"disable": true}}}', "Plan.", { isActive: false }],
    ['{"agent": {"plan": {"prompt": "Plan."}}}', "---\nmode: primary\n---\n", {}],
  ])("one that has a Markdown file, too, is one with it: %s and %j", (json, text, fields) => {
    const merged = together(json, text);
    expect(merged.writes.map(({ path, from }) => [path, from])).toEqual([[planFile, planFile]]);
    expect(merged.unused).toEqual([]);
    expect(agentsOf(merged)).toMatchObject([{ slug: "plan", body: "Plan.", fields, problems: [] }]);
  });

  test.each(["tools: [Bash]", "permission: {bash", "tools: {a: b}\ntools: {c: d}", "permissions: false\n@: 0", "? tools\n: x"])(
    "a Markdown file that isn't as opencode reads it stays as it is, and that is told: %j",
    (front) => {
      const text = `---\n${front}\n---\nPlan.`;
      const merged = together('{"permission": {"bash": "deny"}}', text);
      expect(merged.writes).toEqual([{ path: planFile, text, from: planFile }]);
      expect(merged.unused).toEqual([{ path: "opencode.json: plan", why: expect.stringContaining(planFile) }]);
    },
  );

  test("Markdown files are read up to what one import reads of YAML; the others aren't imported, and that is told", () => {
    const own = (at: number) => `.opencode/agents/a${at}.md`;
    const files = Array.from({ length: 50 }, (_, at) => [own(at), `---\ndescription: ${"x".repeat(8_000)}\n---\nDo it.`]);
    const many = (json: string) => planned({ ...Object.fromEntries(files), "opencode.json": json });
    const { writes, unused } = many('{"permission": {"bash": "deny"}, "agent": {"a49": {"prompt": "x", "permission": {"bash": "allow"}}}}');
    expect(writes.map(({ path }) => path)).toEqual(Array.from({ length: 24 }, (_, at) => own(at)));
    expect(writes.every(({ text }) => text.includes("bash: deny"))).toBe(true);
    expect(unused).toEqual(
      Array.from({ length: 26 }, (_, at) => ({ path: own(24 + at), why: expect.stringContaining("as much YAML as one import reads") })),
    );
    expect(many('{"agent": {"a49": {"mode": "primary"}}}').unused).toEqual([]);
  });

  test("a Markdown file of which the configuration says nothing stays as it is, and so does one of another folder", () => {
    const text = "---\n# mine\ndescription: Plans\n---\nPlan.";
    expect(together('{"agent": {"a": {"prompt": "A."}}}', text).writes).toContainEqual({ path: planFile, text, from: planFile });
    const { writes } = planned({ ".opencode/agents/plan.md": text, "sub/opencode.json": '{"permission": "deny"}', "c.md": text });
    expect(writes.map((write) => write.text)).toEqual([text, text]);
  });

  test("one without a prompt is told of", () => {
    expect(plan.unused).toEqual([
      { path: ".opencode/opencode.jsonc: build", why: "It has no prompt." },
      { path: ".opencode/opencode.jsonc: tester", why: "Its prompt is in test.md, which isn't among the files." },
      { path: ".opencode/opencode.jsonc: _own", why: "Names that start with _ are reserved for Vibey's built-in agents." },
      { path: "x.md", why: "It has no front matter, so it isn't taken for an agent." },
    ]);
  });

  test.each([
    ["{", "It can't be read as JSON."],
    ["[]", "It can't be read as JSON."],
    [`{"agent": {"a": {"prompt": "x", "model": ${"[".repeat(5_000)}${"]".repeat(5_000)}}}}`, "It can't be read as JSON."],
    ['{"agent": 1}', "It has no agents: expected `agent` with a key for each."],
    [" ".repeat(200_001), "The file is longer than 200,000 characters."],
  ])("%.20j is told of", (text, why) => expect(planned({ "opencode.json": text }).unused).toEqual([{ path: "opencode.json", why }]));
});

describe("an OpenClaw folder", () => {
  const folder = {
    "maxos/SOUL.md": "# SOUL\n\nBe genuinely helpful.\n",
    "maxos/AGENTS.md": "# AGENTS\n\nEvery session: read USER.md.\n",
    "maxos/IDENTITY.md": "# IDENTITY.md - Who Am I?\n\n- **Name:** Maxos\n- **Creature:** A familiar\n- **Vibe:** calm\n- **Emoji:** 🦊\n",
    "maxos/MEMORY.md": "- Prefers tea.\n",
    "maxos/TOOLS.md": "# TOOLS\n\n## Calendar\n\nx\n\n## Home Assistant\n",
    "maxos/USER.md": "- **Name:** Charles\n",
    "maxos/KNOWLEDGE-MAP.md": "Maps.\n",
    "maxos/HEARTBEAT.md": "# HEARTBEAT\n\nCheck the inbox every 2 hours.\n",
    "maxos/config/mail.md": "Mail.\n",
    "maxos/memory/2026-02-07.md": "Talked.\n",
    "maxos/BOOTSTRAP.md": "Hello.\n",
    "maxos/skills/x/SKILL.md": "x",
  };
  const plan = planned(folder);

  test("becomes an agent, its memory, docs, and a schedule that is offered", () => {
    expect(plan.writes.map(({ path }) => path)).toEqual([
      "vibey/doc-maxos-tools.md",
      "vibey/doc-maxos-user.md",
      "vibey/doc-maxos-knowledge-map.md",
      "vibey/doc-maxos-config-mail.md",
      "vibey/doc-maxos-memory-2026-02-07.md",
      "vibey/memory-maxos.md",
      "vibey/doc-maxos-heartbeat.md",
      "agents/maxos.md",
    ]);
    expect(plan.schedules).toEqual(["> Schedule: maxos every 120m"]);
    expect(plan.unused.map(({ path }) => path)).toEqual(["maxos/BOOTSTRAP.md", "maxos/skills/x/SKILL.md"]);
    const { path = "", text = "" } = plan.writes.at(-1) ?? {};
    const { slug, fields, body, problems } = readDefinition(asPath(path), text);
    expect([slug, problems]).toEqual(["maxos", []]);
    expect(fields).toMatchObject({
      displayName: "Maxos",
      description: "A familiar. calm",
      capabilities: ["calendar", "home-assistant"],
      memory: true,
    });
    expect(body).toMatch(/^# SOUL\n\nBe genuinely helpful\.\n\n# AGENTS\n\nEvery session: read USER\.md\.\n\nDocs of yours/);
    expect(body).toContain("- `vibey/doc-maxos-user.md`: the user");
  });

  test("nothing is written over, and a heartbeat of comments schedules nothing", () => {
    const again = planned(
      { ...folder, "maxos/HEARTBEAT.md": "# Keep empty\n<!-- x -->\n" },
      { "vibey/doc-maxos-user.md": "mine", "vibey/memory-maxos.md": "mine", "agents/maxos.md": "another" },
    );
    expect(again.schedules).toEqual([]);
    expect(again.writes.map(({ path }) => path)).toContain("agents/maxos-2.md");
    expect(again.writes.map(({ path }) => path)).not.toContain("vibey/doc-maxos-user.md");
    expect(again.unused.map(({ why }) => why)).toContain("vibey/memory-maxos.md is there already, and stays as it is.");
  });

  test.each([
    ["- **名字**：小虾\n", "Shrimp", "agents/shrimp.md"],
    ["- **Name:**小黑\n  _(pick one)_\n", "bots/Kuro", "agents/kuro.md"],
    ["- **Name**：Núria\n", "x", "agents/nuria.md"],
    ["- **Name:** （later）\n", "Later Bot", "agents/later-bot.md"],
  ])("%j in the folder %s is %s", (identity, name, path) => {
    const made = planned({ [`${name}/SOUL.md`]: "Hi.", [`${name}/IDENTITY.md`]: identity, "other/a.md": "x" });
    expect(made.writes[0]?.path).toBe(path);
  });

  test("without a name it is called as its folder", () => {
    expect(planned({ "x/Old Bot/SOUL.md": "Hi." }).writes[0]?.path).toBe("agents/old-bot.md");
  });
});

test("what isn't an agent is told of, and what is there already comes once", () => {
  const agent = "---\nname: a\n---\nx\n";
  const plan = planned(
    {
      "p/CLAUDE.md": "x",
      "p/notes.md": "x",
      "p/opencode.json": "",
      "p/__MACOSX/a.md": agent,
      "p/.claude/agents/a.md": agent,
      "p/b.md": agent,
    },
    { ".claude/agents/a.md": agent, "agents/b.md": "other" },
  );
  expect(plan.writes.map(({ path }) => path)).toEqual(["agents/b-2.md"]);
  expect(plan.unused.map(({ path }) => path)).toEqual(["opencode.json", "CLAUDE.md", "notes.md", ".claude/agents/a.md"]);
});
