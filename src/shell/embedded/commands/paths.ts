import { type Context, failed, original, passed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, linkStatOf, makeFolders, readInput, statOf, writeOutput } from "./files.ts";
import { parseOptions } from "./options.ts";

const realpath = command("realpath", async (args, context) => {
  const options = parseOptions(
    args,
    "emsqzLP",
    {
      "relative-to": "T",
      canonicalize: "e",
      "canonicalize-missing": "m",
      "canonicalize-existing": "e",
      "no-symlinks": "s",
      quiet: "q",
      strip: "s",
    },
    ["T"],
  );
  if (typeof options === "string") return failed("realpath", options);
  if (options.operands.length === 0) return failed("realpath", "missing operand\nTry 'realpath --help' for more information.");
  const from = options.value("T");
  let stdout = "";
  let stderr = "";
  for (const path of options.operands) {
    const at = absolute(context, path);
    const parent = await statOf(context, at.slice(0, at.lastIndexOf("/")) || "/");
    const missing = options.has("e") ? (await statOf(context, at)) === null : !options.has("m") && parent?.isDirectory !== true;
    if (missing) stderr += options.has("q") ? "" : `realpath: ${path}: No such file or directory\n`;
    else stdout += `${from === null ? at : relativePath(absolute(context, from), at)}\n`;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
});

export function relativePath(from: string, to: string): string {
  const left = from.split("/").filter((part) => part !== "");
  const right = to.split("/").filter((part) => part !== "");
  let same = 0;
  while (same < left.length && same < right.length && left[same] === right[same]) same++;
  return [...left.slice(same).map(() => ".."), ...right.slice(same)].join("/") || ".";
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const mktemp = command("mktemp", async (args, context) => {
  const options = parseOptions(args, "dqtup:", { directory: "d", quiet: "q", "dry-run": "u", tmpdir: "P", suffix: "S" }, ["p", "S"]);
  if (typeof options === "string") return failed("mktemp", options);
  const template = options.operands[0] ?? "tmp.XXXXXXXXXX";
  const suffix = options.value("S") ?? "";
  const places = [...template.matchAll(/X{3,}/g)].at(-1);
  if (!places || (suffix !== "" && !template.endsWith("X"))) return failed("mktemp", `too few X's in template '${template}'`);
  const folder =
    options.value("p") ??
    (options.operands.length === 0 || options.has("t") || options.has("P") ? (context.env.get("TMPDIR") ?? "/tmp") : null);
  for (let attempt = 0; attempt < 100; attempt++) {
    const random = [...crypto.getRandomValues(new Uint8Array(places[0].length))]
      .map((byte) => letters.charAt(byte % letters.length))
      .join("");
    const name = template.slice(0, places.index) + random + template.slice(places.index + places[0].length) + suffix;
    const path = folder === null ? name : `${folder.replace(/\/$/, "")}/${name}`;
    if ((await statOf(context, path)) !== null) continue;
    if (!options.has("u")) {
      const parent = absolute(context, path).replace(/\/[^/]*$/, "") || "/";
      const why = (await statOf(context, parent))?.isDirectory ? await make(context, path, options.has("d")) : "No such file or directory";
      if (why !== null)
        return failed(
          "mktemp",
          `failed to create ${options.has("d") ? "directory" : "file"} via template '${folder === null ? "" : `${folder}/`}${template}': ${why}`,
        );
    }
    return { stdout: `${path}\n` };
  }
  return failed("mktemp", `failed to create file via template '${template}': File exists`);
});

async function make(context: Context, path: string, folder: boolean): Promise<string | null> {
  return folder ? makeFolders(context, path) : writeOutput(context, path, new Uint8Array());
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  K: 1024,
  KB: 1000,
  KiB: 1024,
  M: 1024 ** 2,
  MB: 1e6,
  MiB: 1024 ** 2,
  G: 1024 ** 3,
  GB: 1e9,
  GiB: 1024 ** 3,
};

const truncate = command("truncate", async (args, context) => {
  const options = parseOptions(args, "cor:s:", { size: "s", reference: "r", "no-create": "c" });
  if (typeof options === "string") return failed("truncate", options);
  const reference = options.value("r");
  const asked = options.value("s");
  if (asked === null && reference === null) return failed("truncate", "you must specify either '--size' or '--reference'");
  const [, sign = "", count = "", unit = ""] = /^([-+<>/%]?)(\d+)([A-Za-z]*)$/.exec((asked ?? "+0").trim()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (count === "" || factor === undefined) return failed("truncate", `Invalid number: '${asked}'`);
  if (options.operands.length === 0) return failed("truncate", "missing file operand");
  const base = reference === null ? null : await statOf(context, reference);
  if (reference !== null && base === null) return failed("truncate", `cannot stat '${reference}': No such file or directory`);
  const amount = Number(count) * factor;
  for (const path of options.operands) {
    const stat = await statOf(context, path);
    if (stat === null && options.has("c")) continue;
    const read = stat === null ? { ok: true as const, bytes: new Uint8Array() } : await readInput(context, path);
    if (!read.ok) return failed("truncate", `cannot open '${path}' for writing: ${read.why}`);
    const now = base?.size ?? read.bytes.length;
    const size =
      {
        "": amount,
        "+": now + amount,
        "-": Math.max(0, now - amount),
        "<": Math.min(now, amount),
        ">": Math.max(now, amount),
        "/": now - (now % amount),
        "%": Math.ceil(now / amount) * amount,
      }[sign] ?? amount;
    if (size > 64_000_000) return failed("truncate", `failed to truncate '${path}' at ${size} bytes: File too large`);
    const bytes = new Uint8Array(size);
    bytes.set(read.bytes.subarray(0, size));
    const why = await writeOutput(context, path, bytes);
    if (why !== null) return failed("truncate", `cannot open '${path}' for writing: ${why}`);
  }
  return {};
});

const install = command("install", async (args, context) => {
  const options = parseOptions(args, "dDm:t:o:g:vpCs", { directory: "d", mode: "m", "target-directory": "t" });
  if (typeof options === "string") return failed("install", options);
  const mode = Number.parseInt(options.value("m") ?? "755", 8);
  const sources = [...options.operands];
  if (options.has("d")) {
    for (const path of sources) {
      const why = await makeFolders(context, path);
      if (why !== null) return failed("install", `cannot create directory '${path}': ${why}`);
    }
    return {};
  }
  const target = options.value("t") ?? sources.pop();
  if (target === undefined) return failed("install", "missing file operand");
  if (sources.length === 0) return failed("install", `missing destination file operand after '${target}'`);
  if (options.has("D")) await makeFolders(context, options.has("t") ? target : target.replace(/\/?[^/]*$/, "") || ".");
  const folder = (await statOf(context, target))?.isDirectory === true;
  if (!folder && sources.length > 1) return failed("install", `target '${target}' is not a directory`);
  for (const source of sources) {
    const read = await readInput(context, source);
    if (!read.ok)
      return failed("install", read.why === "Is a directory" ? `omitting directory '${source}'` : `cannot stat '${source}': ${read.why}`);
    const to = folder ? `${target.replace(/\/$/, "")}/${source.slice(source.lastIndexOf("/") + 1)}` : target;
    const why = await writeOutput(context, to, read.bytes);
    if (why !== null) return failed("install", `cannot create regular file '${to}': ${why}`);
    await context.fs.chmod(absolute(context, to), mode);
  }
  return {};
});

/** The operands that are links. just-bash's rm would follow them. */
async function linksOf(context: Context, args: readonly string[]): Promise<readonly string[]> {
  const links: string[] = [];
  for (const arg of args)
    if (!arg.startsWith("-") && !arg.endsWith("/") && (await linkStatOf(context, arg))?.isSymbolicLink === true) links.push(arg);
  return links;
}

/** The empty folders that `rm -d` removes. */
async function emptyFoldersOf(context: Context, args: readonly string[]): Promise<readonly string[]> {
  if (!args.includes("-d") && !args.includes("--dir")) return [];
  const empty: string[] = [];
  for (const arg of args)
    if (
      !arg.startsWith("-") &&
      (await statOf(context, arg))?.isDirectory === true &&
      (await context.fs.readdir(absolute(context, arg))).length === 0
    )
      empty.push(arg);
  return empty;
}

/** just-bash's `rm -f` does not report what it could not remove. This one does. */
export const remove = (refusedCount: () => number): ReturnType<typeof command> =>
  command("rm", async (args, context) => {
    const before = refusedCount();
    const links = [...(await linksOf(context, args)), ...(await emptyFoldersOf(context, args))];
    for (const link of links) await context.fs.rm(absolute(context, link));
    const rest = args.filter((arg) => !links.includes(arg) && arg !== "-d" && arg !== "--dir");
    const result = links.length > 0 && rest.every((arg) => arg.startsWith("-")) ? {} : passed(await original(context, rest));
    if (refusedCount() === before || (result.exitCode ?? 0) !== 0) return result;
    return { ...result, stderr: `${result.stderr ?? ""}rm: some files were not removed\n`, exitCode: 1 };
  });

export const paths = [realpath, mktemp, truncate, install];
