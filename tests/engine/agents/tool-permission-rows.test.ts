import { expect, test } from "vitest";
import { toolPermissionRows } from "../../../src/engine/agents/tool-permission-rows.ts";

const main = `# A game

> Authorized: edit_file
> Authorized: run_command
> Revoked: run_command
> Authorized: command npm test *
> Authorized: writes under src/
`;
type Agent = Parameters<typeof toolPermissionRows>[0];
const words = (agent: Pick<Agent, "tools" | "asks"> & Partial<Agent>, text: string | null) =>
  toolPermissionRows({ escalates: [], reads: null, writes: null, ...agent }, text).map(
    ({ tool, may, because, lines, within }) => `${tool}: ${[may, because, ...(within ?? []), ...lines.map(({ line }) => line)].join(" ")}`,
  );

test("each tool says what the agent may do with it, and which line or file says so", () => {
  expect(words({ tools: ["run_command", "write_file", "edit_file", "vfs_read"], asks: [] }, main)).toEqual([
    "run_command: run-some main 6",
    "write_file: run-some main 7",
    "edit_file: run main 3 7",
    "launch_agent: no file",
    "vfs_read: run file",
    "vfs_list: no file",
  ]);
});

test("a tool that its file asks for each time asks whatever main says, and without main all but reading asks", () => {
  const agent = { tools: ["run_command", "edit_file", "vfs_read", "vfs_list"], asks: ["edit_file", "vfs_list"] };
  expect(words(agent, main)).toEqual([
    "run_command: run-some main 6",
    "write_file: no file",
    "edit_file: ask file",
    "launch_agent: no file",
    "vfs_read: run file",
    "vfs_list: ask file",
  ]);
  expect(words(agent, null)[0]).toBe("run_command: ask usual");
});

test("main can make reading ask, and a file can name what always asks and which files it may use", () => {
  const agent = {
    tools: ["edit_file", "vfs_read", "vfs_list"],
    asks: ["edit_file"],
    escalates: ["edit_file"],
    reads: ["docs/**"],
    writes: ["src/**"],
  };
  expect(words(agent, `> Revoked: vfs_read\n${main}`).toSpliced(0, 2)).toEqual([
    "edit_file: ask-always file src/**",
    "launch_agent: no file",
    "vfs_read: ask main docs/** 1",
    "vfs_list: run file",
  ]);
});
