import type { Database, Statement, Value } from "sql.js";
import { type Mode, modes, printRows, quote, type Style } from "./print.ts";

/** The session's access to the shell's files. */
export interface SessionFiles {
  /** The text of a file; throws a sentence if it can't be read. */
  read(path: string): string;
}

export interface SessionResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface SessionOptions extends Style {
  /** Stop at the first error. */
  readonly bail: boolean;
  /** The input comes from the command line, where the first error ends it; otherwise from a script. */
  readonly fromArguments: boolean;
}

/** Maximum bytes of SQLite's own memory, and of a database. SQL can lower the first and raise neither. */
const mostHeap = 256_000_000;
const mostFile = 256_000_000;
/** UTF-16 units of the rows of one statement, and of a command's total output. */
const mostRows = 64_000_000;

/** Runs SQL and dot-commands on one database, as the sqlite3 program does. Its memory is limited, because running out would crash the tab. */
export function createSession(db: Database, files: SessionFiles, options: SessionOptions) {
  let style: Style = options;
  let stdout = "";
  let stderr = "";
  let failed = false;
  let ended = false;

  db.run(`pragma hard_heap_limit = ${mostHeap}`);
  limitFile();

  function limitFile(): void {
    try {
      const [[pageSize = 4096] = []] = query("pragma page_size");
      db.run(`pragma main.max_page_count = ${Math.floor(mostFile / Number(pageSize))}`);
    } catch (error) {
      // The file is not a database, which the first statement reports as well. sql.js does not name every SQLite error.
      if (!(error instanceof Error) || !/not a database|malformed|not an error/.test(error.message)) throw error;
    }
  }

  function fail(message: string): void {
    stderr += `${message}\n`;
    failed = true;
    if (options.bail || options.fromArguments) ended = true;
  }

  function query(sql: string): readonly (readonly Value[])[] {
    const rows: Value[][] = [];
    const statements = db.iterateStatements(sql);
    for (let next = statements.next(); next.done !== true; next = statements.next()) take(next.value, rows);
    return rows;
  }

  /** Throws if the rows and the earlier output together exceed what a command may hold. */
  function take(statement: Statement, rows: Value[][]): void {
    let room = mostRows - stdout.length;
    while (statement.step()) {
      const row = statement.get(null, { useBigInt: true });
      for (const value of row) room -= typeof value === "string" || value instanceof Uint8Array ? value.length + 8 : 8;
      if (room < 0) throw new Error(`the result is larger than ${mostRows / 1_000_000} MB: select less`);
      rows.push(row);
    }
  }

  /** Refuses other database files: they would be in the worker's memory, where the project loses them and the next command sees them. */
  function refuseFile(what: string): void {
    fail(`Error: ${what}: a command has one database file here, and no others beside it; those in memory are possible`);
    ended = true;
  }

  const hasFileBeside = (): boolean =>
    query("pragma database_list").some(([, name, file]) => name !== "main" && file !== "" && file !== null);

  /** `line`: the line of the script in which the SQL begins. */
  function runSql(sql: string, line: number): void {
    const statements = db.iterateStatements(sql);
    for (;;) {
      let phase = "in prepare";
      try {
        const next = statements.next();
        if (next.done === true) return;
        phase = "stepping";
        const statement = next.value;
        const said = statement.getSQL();
        if (/^vacuum\b.*\binto\b/is.test(withoutComments(said))) return refuseFile("vacuum into");
        const rows: Value[][] = [];
        take(statement, rows);
        if (/page_(?:size|count)/i.test(said)) limitFile();
        stdout += printRows(statement.getColumnNames(), rows, style);
        if (/attach/i.test(said) && hasFileBeside()) return refuseFile("attach");
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        // The program appends SQLite's error number, which sql.js does not provide.
        const message = said.includes("constraint failed") ? `${said} (19)` : said;
        const where = phase === "stepping" ? "Runtime error" : "Parse error";
        return fail(options.fromArguments ? `Error: ${phase}, ${message}` : `${where} near line ${line}: ${message}`);
      }
    }
  }

  function dot(line: string): void {
    const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? "",
    );
    const [name = "", ...args] = words;
    const commands: Record<string, () => void> = {
      ".tables": () => void (stdout += listing(names("type in ('table','view')", args[0]))),
      ".indexes": () => void (stdout += listing(names("type = 'index'", undefined, args[0]))),
      ".schema": () => void (stdout += schema(args[0])),
      ".dump": () => void (stdout += dump()),
      ".databases": () => void (stdout += "main\n"),
      ".headers": () => void (style = { ...style, header: onOff(args[0]) }),
      ".header": () => void (style = { ...style, header: onOff(args[0]) }),
      ".mode": () => setMode(args[0] ?? ""),
      ".separator": () => void (style = { ...style, separator: unescaped(args[0] ?? "|") }),
      ".nullvalue": () => void (style = { ...style, nullValue: args[0] ?? "" }),
      ".print": () => void (stdout += `${args.join(" ")}\n`),
      ".read": () => runScript(files.read(args[0] ?? "")),
      ".import": () =>
        importRows(
          args.filter((arg) => !arg.startsWith("--")),
          args,
        ),
      ".quit": () => void (ended = true),
      ".exit": () => void (ended = true),
    };
    const run = commands[name];
    if (run === undefined)
      return fail(`Error: unknown command or invalid arguments:  "${name.slice(1)}". Known here: ${Object.keys(commands).join(" ")}`);
    try {
      run();
    } catch (error) {
      fail(`Error: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function setMode(name: string): void {
    const mode = modes.find((known): known is Mode => known === name);
    if (mode === undefined) return fail(`Error: mode should be one of: ${modes.join(" ")}`);
    style = {
      ...style,
      mode,
      rowEnd: mode === "csv" ? "\r\n" : "\n",
      header: ["column", "table", "box", "markdown"].includes(mode) ? true : style.header,
    };
  }

  function names(where: string, like?: string, table?: string): string[] {
    const filter = like === undefined ? "" : ` and name like ${quote(like)}`;
    const of = table === undefined ? "" : ` and tbl_name = ${quote(table)}`;
    return query(`select name from sqlite_schema where ${where} and name not like 'sqlite_%'${filter}${of} order by 1`).map(([each]) =>
      String(each),
    );
  }

  function schema(table: string | undefined): string {
    const of = table === undefined ? "" : ` and lower(tbl_name) like lower(${quote(table)})`;
    return query(`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'${of} order by rowid`)
      .map(([sql]) => `${String(sql)};\n`)
      .join("");
  }

  function dump(): string {
    let text = "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n";
    for (const [name, sql] of query(
      "select name, sql from sqlite_schema where type = 'table' and sql is not null and name not like 'sqlite_%' order by rowid",
    )) {
      text += `${String(sql)};\n`;
      const table = String(name);
      const shown = /^[A-Za-z_][A-Za-z0-9_]*$/.test(table) ? table : `"${table.replaceAll('"', '""')}"`;
      for (const row of query(`select * from "${table.replaceAll('"', '""')}"`))
        text += `INSERT INTO ${shown} VALUES(${row.map(quote).join(",")});\n`;
    }
    for (const [sql] of query("select sql from sqlite_schema where type <> 'table' and sql is not null order by rowid"))
      text += `${String(sql)};\n`;
    return `${text}COMMIT;\n`;
  }

  function importRows([file, table]: readonly string[], all: readonly string[]): void {
    if (file === undefined || table === undefined) return fail("Usage: .import FILE TABLE");
    const asCsv = all.includes("--csv") || style.mode === "csv";
    const rows = asCsv
      ? csvRows(files.read(file))
      : files
          .read(file)
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split(style.separator));
    const named = `"${table.replaceAll('"', '""')}"`;
    const exists = names("type = 'table'", table).length > 0;
    const head = exists ? [] : (rows.shift() ?? []);
    if (!exists) db.run(`create table ${named}(${head.map((name) => `\n"${name.replaceAll('"', '""')}" TEXT`).join(",")})`);
    db.run("begin");
    for (const row of rows) db.run(`insert into ${named} values(${row.map(() => "?").join(",")})`, row);
    db.run("commit");
  }

  /** Runs SQL with dot-commands on separate lines between the statements. */
  function runScript(script: string): void {
    let sql = "";
    let begins = 1;
    for (const [at, line] of script.split("\n").entries()) {
      if (ended) return;
      if (line.startsWith(".") && sql.trim() === "") dot(line.trim());
      else {
        if (sql.trim() === "") begins = at + 1;
        sql += `${line}\n`;
        // A statement may contain semicolons in strings and triggers. An incomplete one waits for more lines.
        if (/;\s*(--.*)?$/.test(line) && isWhole(sql)) {
          runSql(sql, begins);
          sql = "";
        }
      }
    }
    if (sql.trim() !== "" && !ended) runSql(sql, begins);
  }

  return {
    script: runScript,
    /** Runs an argument of the command line: SQL, or a dot-command. */
    argument(text: string): void {
      if (ended) return;
      if (text.startsWith(".")) dot(text);
      else runSql(text, 1);
    },
    result: (): SessionResult => ({ stdout, stderr, exitCode: failed ? 1 : 0 }),
  };
}

const withoutComments = (sql: string): string => sql.replaceAll(/--[^\n]*|\/\*.*?\*\//gs, " ").trim();

/** Whether every string, comment and trigger in it is complete. */
function isWhole(sql: string): boolean {
  const bare = sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  if (/['"`[]|\/\*/.test(bare)) return false;
  return !/^\s*create\s+(temp\w*\s+)?trigger\b/i.test(bare) || /\bend\s*;\s*$/i.test(bare);
}

function onOff(word: string | undefined): boolean {
  return /^(on|yes|1|true)$/i.test(word ?? "");
}

function unescaped(text: string): string {
  return text.replaceAll("\\t", "\t").replaceAll("\\n", "\n");
}

/** Prints names in columns like sqlite3. */
function listing(names: readonly string[]): string {
  if (names.length === 0) return "";
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const columns = Math.max(1, Math.floor(80 / width));
  const rows = Math.ceil(names.length / columns);
  return Array.from(
    { length: rows },
    (_, row) =>
      `${Array.from({ length: columns }, (__, column) => (names[column * rows + row] ?? "").padEnd(width))
        .join("")
        .trimEnd()}\n`,
  ).join("");
}

function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [whole, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === "" && row.length === 0) break;
    row.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (end !== ",") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
