import initSqlJs from "sql.js";
import { type Run, failed, stdinText } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import { notFetched } from "../commands/not-fetched.ts";
import { cleanPath } from "../tree.ts";
import { equalBytes } from "../../equal-bytes.ts";
import { type Mode, modes } from "./print.ts";
import { createSession } from "./session.ts";

type Sqlite = Awaited<ReturnType<typeof initSqlJs>>;
let loading: Promise<Sqlite> | null = null;

/**
 * `sqlite3 [options] FILE [SQL ...]`: the original SQLite, fetched at the first call. It reads the whole file, and writes it back if it has changed.
 */
export const sqlite =
  (host: ShellHost): Run =>
  async (args, context) => {
    let mode: Mode = "list";
    let header = false;
    let separator = "|";
    let nullValue = "";
    let bail = false;
    let readOnly = false;
    let versionOnly = false;
    const before: string[] = [];
    const rest: string[] = [];
    for (let i = 0; i < args.length; i += 1) {
      const arg = args[i] ?? "";
      const option = /^--?[a-z]/.test(arg) ? arg.replace(/^--?/, "") : null;
      const value = (): string => args[(i += 1)] ?? "";
      const known = modes.find((each) => each === option);
      if (option === null) rest.push(arg);
      else if (known !== undefined) {
        mode = known;
        if (["column", "table", "box", "markdown"].includes(known)) header = true;
      } else if (option === "header") header = true;
      else if (option === "noheader") header = false;
      else if (option === "separator") separator = value();
      else if (option === "nullvalue") nullValue = value();
      else if (option === "bail") bail = true;
      else if (option === "readonly") readOnly = true;
      else if (option === "cmd") before.push(value());
      else if (option === "version") versionOnly = true;
      else if (option !== "batch") return failed("sqlite3", `Error: unknown option: ${arg}`);
    }
    const [file = ":memory:", ...statements] = rest;
    const path = cleanPath(file.startsWith("/") ? file : `${context.cwd}/${file}`);
    const inMemory = file === ":memory:" || file === "";
    const stat = inMemory ? null : host.files.stat(path);
    if (stat?.kind === "folder") return failed("sqlite3", `Error: unable to open database "${file}": it is a folder`);
    const script = statements.length === 0 && !versionOnly ? stdinText(context) : "";
    // These commands name more files.
    const readsOthers = [...before, ...statements, script].some((text) => /^\s*\.(?:read|import)\b/m.test(text));
    await host.files.load(readsOthers ? undefined : [path]);
    const was = stat === null ? new Uint8Array() : host.files.read(path);

    let library: Sqlite;
    try {
      loading ??= host.asset("sqlite.wasm").then((wasmBinary) => initSqlJs({ wasmBinary }));
      library = await loading;
    } catch (error) {
      loading = null;
      return failed("sqlite3", `SQLite could not be started: ${notFetched(error)}`, 127);
    }
    const db = new library.Database(was);
    // A database that does not exist yet still has a first page.
    const atFirst = stat === null ? db.export() : was;
    const read = (name: string): string =>
      new TextDecoder().decode(host.files.read(cleanPath(name.startsWith("/") ? name : `${context.cwd}/${name}`)));
    try {
      const session = createSession(
        db,
        { read },
        { mode, header, separator, nullValue, rowEnd: "\n", bail, fromArguments: statements.length > 0 },
      );
      if (versionOnly) session.argument("select sqlite_version()");
      for (const each of before) session.argument(each);
      for (const each of statements) session.argument(each);
      if (statements.length === 0 && !versionOnly) session.script(script);
      const { stdout, stderr, exitCode } = session.result();
      const is = inMemory ? atFirst : db.export();
      const changed = !equalBytes(is, atFirst);
      if (changed && readOnly) return { stdout, stderr: `${stderr}Error: attempt to write a readonly database\n`, exitCode: 1 };
      if (changed) host.files.write(path, is);
      return { stdout, stderr, exitCode };
    } finally {
      db.close();
    }
  };
