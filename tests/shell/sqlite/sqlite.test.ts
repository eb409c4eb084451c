import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loopbackWorker } from "../loopback.ts";
import { project, type TestProject } from "../project.ts";

const rows = "select 1 as a, 'x' as b, null as c union all select 2, 'y,z', 3.5";

/** Commands that print the same as this machine's sqlite3 program, if there is one. The first creates the database. */
const commands: readonly string[] = [
  `sqlite3 t.db "create table t(a integer primary key, b text, c); insert into t values(1,'x',null),(2,'y,z',3.5); create index i on t(b);"`,
  "sqlite3 t.db 'select * from t'",
  "sqlite3 -header t.db 'select * from t'",
  ...["csv", "json", "column", "line", "table", "box", "markdown", "tabs", "quote"].map(
    (mode) => `sqlite3 -header -${mode} t.db "${rows}"`,
  ),
  "sqlite3 -json t.db 'select * from t where 0'",
  "sqlite3 -separator ';' -nullvalue NULL t.db 'select * from t'",
  "sqlite3 t.db .tables",
  "sqlite3 t.db .schema",
  "sqlite3 t.db .dump",
  "sqlite3 t.db .indexes",
  "sqlite3 t.db '.mode csv' 'select b from t'",
  "sqlite3 t.db 'select count(*), sum(a), avg(a), group_concat(b) from t'",
  "sqlite3 t.db \"select x'616263', 1e10, 0.1, 1.0, 1e20, 123456789012345678, -2.5e-7, 1.0/3\"",
  "sqlite3 t.db 'select 1; select 2'",
  "echo 'select a from t; select b from t;' | sqlite3 t.db",
  "printf '.headers on\\n.mode column\\nselect a,\\n  b\\nfrom t;\\n' | sqlite3 t.db",
  "sqlite3 t.db <<'EOF'\ncreate table log(n);\ncreate trigger tr after insert on t begin\n  insert into log values(new.a);\nend;\ninsert into t values(3, 'it''s; fine', 0);\nselect * from log;\nEOF",
  "sqlite3 t.db 'select b from t where a = 3'",
  "sqlite3 :memory: 'select 1 + 1'",
  "sqlite3 t.db '.import --csv i.csv imp' 'select * from imp'",
  "sqlite3 t.db 'select * from nope' || echo failed",
  "sqlite3 t.db 'insert into t values(1,1,1)' || echo failed",
  "echo 'insert into t values(1,2,3); select 7;' | sqlite3 -bail t.db || echo failed",
  'sqlite3 t.db "with recursive c(x) as (select 1 union all select x + 1 from c where x < 5) select sum(x) from c"',
  "sqlite3 t.db \"select json_extract('{\\\"a\\\": [1, 2]}', '$.a[1]')\"",
];

const csv = 'name,note\nada,"x ""y"", z"\nbob,\n';
let shell: TestProject;
const here = mkdtempSync(join(tmpdir(), "vibey-sqlite-"));
const real = spawnSync("sqlite3", ["--version"]).status === 0;

beforeAll(async () => {
  shell = await project({ createWorker: loopbackWorker, contents: { "i.csv": csv } });
  writeFileSync(join(here, "i.csv"), csv);
});
afterAll(() => rmSync(here, { recursive: true, force: true }));

describe("sqlite3", () => {
  for (const command of commands) {
    test(command, async () => {
      const ours = await shell.runAndKeep(command);
      if (!real) return expect(ours.exitCode).toBe(0);
      const theirs = spawnSync("bash", ["-c", command], { cwd: here, encoding: "utf8" });
      expect(ours.stdout).toBe(theirs.stdout);
      expect(ours.exitCode).toBe(theirs.status);
      // Older versions of the program show the place of the error on additional lines.
      expect(ours.stderr.split("\n")[0]).toBe(theirs.stderr.split("\n")[0]);
      return undefined;
    });
  }

  test("keeps the database in the project", async () => {
    const { changes } = await shell.runAndKeep("sqlite3 new.db 'create table x(y)'");
    expect(changes.map(({ path }) => path)).toEqual(["new.db"]);
    expect(new TextDecoder().decode(changes[0]?.bytes?.subarray(0, 15))).toBe("SQLite format 3");
    expect((await shell.run("sqlite3 new.db 'select * from x'")).changes).toEqual([]);
  });

  test.each([
    ["sqlite3 -nonsense t.db", "Error: unknown option: -nonsense"],
    ["sqlite3 t.db .nonsense", 'unknown command or invalid arguments:  "nonsense"'],
    ["sqlite3 vibey 'select 1'", "it is a folder"],
    ["sqlite3 -readonly t.db 'create table q(r)'", "readonly"],
  ])("%s fails and says why", async (command, why) => {
    const { exitCode, stderr } = await shell.run(command);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(why);
  });
});

describe("a file beside the database of the command", () => {
  const left = "create table l.t(x); insert into l.t values('planted')";
  test.each([
    ["attached", `sqlite3 :memory: "attach '/left.db' as l; ${left}"`],
    ["attached in a transaction", `sqlite3 :memory: "begin; /**/attach/**/'/left.db' as l; ${left}; commit"`],
    ["attached by a script that goes on", `printf '%s\n' "attach '/left.db' as l;" "${left};" | sqlite3 :memory:`],
    ["written by vacuum", `sqlite3 :memory: "create table t(x); /* */ vacuum -- all of it\n into '/left.db'"`],
  ])("is refused when it is %s, and nothing of it is there for the next command", async (_, command) => {
    const planted = await shell.run(command);
    expect(planted.exitCode).toBe(1);
    expect(planted.stderr).toContain("a command has one database file");
    const looked = await shell.run("sqlite3 :memory: \"attach '/left.db' as l; select * from l.t\"");
    expect(looked).toMatchObject({ stdout: "", exitCode: 1 });
  });

  test("may be one in memory", async () => {
    const attached =
      "sqlite3 :memory: \"attach ':memory:' as m; attach '' as n; create table m.t(x); insert into m.t values('into'); select x from m.t; vacuum\"";
    expect(await shell.run(attached)).toMatchObject({ stdout: "into\n", stderr: "", exitCode: 0 });
  });
});

describe("sqlite3 takes no more memory than a tab has", () => {
  const endless = "with recursive c(i) as (select 1 union all select i + 1 from c)";
  test.each([
    ["rows without end", `${endless} select hex(zeroblob(500000)) from c`, "the result is larger than 64 MB: select less"],
    [
      "a database without end, with a larger page and another count of pages",
      `pragma page_size = 65536; pragma max_page_count = 4294967294; create table t(x); insert into t select zeroblob(1000000) from (${endless} select i from c)`,
      "database or disk is full",
    ],
    ["a higher limit of SQLite's own", "pragma hard_heap_limit = 4000000000; select length(hex(zeroblob(200000000)))", "out of memory"],
  ])("%s", async (_, sql, error) => {
    const { exitCode, stdout, stderr } = await shell.run(`sqlite3 :memory: "${sql}"`, { timeoutMs: 300_000 });
    expect([exitCode, stderr.includes(error) ? error : stderr]).toEqual([1, error]);
    expect(stdout.length).toBeLessThan(1_000);
  });
});
