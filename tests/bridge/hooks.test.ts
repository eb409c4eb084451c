import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claudeSettings, codexConfig } from "../../bridge/hook-settings.ts";
import { mergeSettings, runHooks } from "../../bridge/hooks.ts";
import { opencodePlugin } from "../../bridge/opencode-plugin.ts";

const base = "http://localhost:4003";
const plain = { base, strict: false, wake: false };

test("Claude Code asks and tells over http, with the key from its environment; --strict asks before each use", () => {
  const { hooks } = claudeSettings(plain);
  expect(Object.keys(hooks)).toEqual([
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Notification",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "SessionEnd",
    "SessionStart",
  ]);
  expect(hooks["PreToolUse"]).toMatchObject([{ hooks: [{ url: "http://localhost:4003/hooks/claude-code?tell=1", timeout: 10 }] }]);
  expect(hooks["PermissionRequest"]).toEqual([
    {
      matcher: "*",
      hooks: [
        {
          type: "http",
          url: "http://localhost:4003/hooks/claude-code",
          headers: { "X-Agent-Key": "$VIBEY_AGENT_KEY" },
          allowedEnvVars: ["VIBEY_AGENT_KEY"],
          timeout: 600,
        },
      ],
    },
  ]);
  expect(claudeSettings({ base, strict: true, wake: false }).hooks["PreToolUse"]).toMatchObject([
    { hooks: [{ onFailure: "block", timeout: 600 }] },
  ]);
});

test("merging loses nothing, twice is once, and what is no settings file is not touched", () => {
  const mine = { matcher: "Bash", hooks: [{ type: "command", command: "echo hi" }] };
  const before = JSON.stringify({ model: "opus", hooks: { PostToolUse: [mine], PreCompact: [] }, permissions: { allow: ["Read"] } });
  const once = mergeSettings(before, claudeSettings(plain));
  if (!once.ok) throw new Error(once.why);
  const after = JSON.parse(once.text) as { hooks: Record<string, unknown[]> };
  expect(after).toMatchObject({ model: "opus", permissions: { allow: ["Read"] } });
  expect(after.hooks["PostToolUse"]?.[0]).toEqual(mine);
  expect(after.hooks["PostToolUse"]).toHaveLength(2);
  expect(after.hooks["PreCompact"]).toEqual([]);
  expect(mergeSettings(once.text, claudeSettings(plain))).toEqual(once);
  // What an earlier call with --strict wrote is replaced.
  const strict = mergeSettings(before, claudeSettings({ base, strict: true, wake: false }));
  if (!strict.ok) throw new Error(strict.why);
  const back = mergeSettings(strict.text, claudeSettings(plain));
  expect(back).toEqual(once);
  for (const broken of ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
    expect(mergeSettings(broken, claudeSettings(plain))).toMatchObject({ ok: false });
  expect(mergeSettings(null, claudeSettings(plain)).ok).toBe(true);
  const waking = mergeSettings(before, claudeSettings({ base, strict: false, wake: true }));
  expect(waking.ok && mergeSettings(waking.text, claudeSettings(plain))).toEqual(once);
});

test("Codex is never held up, opencode's plug-in answers what it is asked", () => {
  expect(codexConfig(plain).match(/\|\| true"/g)).toHaveLength(7);
  expect(opencodePlugin(plain)).toContain('"http://localhost:4003/hooks/opencode"');
});

test.each([
  [["unknown"], 2],
  [["claude-code", "--wrong"], 2],
  [["codex", "--write"], 2],
  [["codex", "--strict"], 2],
  [["opencode", "--strict"], 2],
  [["codex", "--wake"], 2],
  [["claude-code", "--base=http://x/$(touch y)"], 2],
  [["claude-code"], 0],
])("hooks %j ends with %i", (args, code) => {
  const said: string[] = [];
  expect(
    runHooks(
      args,
      (line) => said.push(line),
      (line) => said.push(line),
    ),
  ).toBe(code);
  expect(said).toHaveLength(1);
});

test("--write goes through no link that a folder brings along, and keeps who may read the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "vibey-hooks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [own, there] = [join(folder, "own"), join(folder, ".claude")];
  const file = join(there, "settings.json");
  const write = (): [number, string] => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    return [runHooks(["claude-code", "--write"], say, say, folder), said.join("\n")];
  };
  mkdirSync(there);
  writeFileSync(own, "mine");
  // Links in the folder are never followed when the file is written.
  symlinkSync(own, `${file}.new`);
  expect(write()[0]).toBe(0);
  expect([readFileSync(own, "utf8"), lstatSync(file).isFile()]).toEqual(["mine", true]);
  chmodSync(file, 0o600);
  expect(write()[0]).toBe(0);
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
  symlinkSync(own, file);
  expect(write()).toEqual([1, expect.stringContaining("was not changed: it is no file of its own") as string]);
  expect([lstatSync(file).isSymbolicLink(), readFileSync(own, "utf8"), readdirSync(there)]).toEqual([
    true,
    "mine",
    ["settings.json", "settings.json.new"],
  ]);
  rmSync(there, { recursive: true });
  symlinkSync(folder, there);
  expect(write()).toEqual([1, expect.stringContaining("its folder is a link") as string]);
});
