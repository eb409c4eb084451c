import type { NetAnswer } from "../../../network.ts";
import { type Context } from "../answer.ts";
import { makeFolders, writeOutput } from "../files.ts";
import type { CurlOptions, Wrong } from "./options.ts";

/** Where the content of a URL is written. */
export type Output =
  | { readonly kind: "stdout" }
  /** -o. `#1` in the name stands for a part of the URL's pattern. */
  | { readonly kind: "file"; readonly name: string }
  /** -O: the last part of the URL. */
  | { readonly kind: "remote" };

/** One output for each URL: the first -o or -O belongs to the first URL. */
export function outputsOf(options: CurlOptions, count: number): readonly Output[] {
  const outputs: Output[] = options.given.flatMap(({ name, value }): Output[] => {
    if (name === "output") return [value === "-" ? { kind: "stdout" } : { kind: "file", name: value }];
    return name === "remote-name" ? [{ kind: "remote" }] : [];
  });
  while (outputs.length < count) outputs.push({ kind: options.has("remote-name-all") ? "remote" : "stdout" });
  return outputs;
}

interface Source {
  readonly url: string;
  readonly answer: Extract<NetAnswer, { readonly kind: "answer" }>;
  readonly parts: readonly string[];
}

/** The file's name as typed; null: standard output. */
export function fileFor(output: Output, options: CurlOptions, { url, answer, parts }: Source): { readonly file: string | null } | Wrong {
  if (output.kind === "stdout") return { file: null };
  const folder = options.value("output-dir");
  const at = (name: string): string => (folder === null || folder === "" ? name : `${folder.replace(/\/$/, "")}/${name}`);
  if (output.kind === "file") {
    const name = output.name.replaceAll(/#(\d+)/g, (all, number: string) => parts[Number(number) - 1] ?? all);
    return { file: name === "/dev/stdout" ? null : name.startsWith("/") ? name : at(name) };
  }
  const given = options.has("remote-header-name") ? dispositionName(answer.headers) : null;
  const name = given ?? new URL(url).pathname.split("/").at(-1) ?? "";
  if (name === "") return { exitCode: 23, message: "(23) Remote file name has no length!" };
  return { file: at(name) };
}

/** The file name in Content-Disposition, without folders; null if there is none. */
export function dispositionName(headers: Source["answer"]["headers"]): string | null {
  const text = headers.find(([name]) => name.toLowerCase() === "content-disposition")?.[1] ?? "";
  const found = /filename=(?:"([^"]*)"|([^;\s]+))/i.exec(text);
  const name = (found?.[1] ?? found?.[2] ?? "").split(/[/\\]/).at(-1) ?? "";
  return name === "" || name === "." || name === ".." ? null : name;
}

/** Writes the file. Returns why that failed, or null. */
export async function saveTo(context: Context, path: string, bytes: Uint8Array, makesFolders: boolean): Promise<string | null> {
  if (path === "/dev/null") return null;
  const slash = path.lastIndexOf("/");
  const folder = slash <= 0 ? "" : path.slice(0, slash);
  if (folder !== "" && makesFolders) {
    const why = await makeFolders(context, folder);
    if (why !== null) return why;
  }
  if (folder !== "" && !(await context.fs.exists(context.fs.resolvePath(context.cwd, folder)))) return "No such file or directory";
  return writeOutput(context, path, bytes);
}
