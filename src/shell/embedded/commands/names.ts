import { failed } from "./answer.ts";
import { command } from "./command.ts";
import { parseOptions } from "./options.ts";

function folderOf(path: string): string {
  const inside = path.replace(/\/+$/, "");
  if (inside === "") return path === "" ? "." : "/";
  const slash = inside.lastIndexOf("/");
  return slash < 0 ? "." : inside.slice(0, slash).replace(/\/+$/, "") || "/";
}

function nameOf(path: string, suffix: string): string {
  const inside = path.replace(/\/+$/, "");
  if (inside === "") return path === "" ? "" : "/";
  const name = inside.slice(inside.lastIndexOf("/") + 1);
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

const dirname = command("dirname", (args) => {
  const options = parseOptions(args, "z", { zero: "z" });
  if (typeof options === "string") return failed("dirname", options);
  if (options.operands.length === 0) return failed("dirname", "missing operand");
  return { stdout: options.operands.map((path) => folderOf(path) + (options.has("z") ? "\0" : "\n")).join("") };
});

const basename = command("basename", (args) => {
  const options = parseOptions(args, "as:z", { multiple: "a", suffix: "s", zero: "z" });
  if (typeof options === "string") return failed("basename", options);
  const [path, suffix = "", extra] = options.operands;
  if (path === undefined) return failed("basename", "missing operand");
  const isList = options.has("a") || options.has("s");
  if (!isList && extra !== undefined) return failed("basename", `extra operand '${extra}'`);
  const names = isList ? options.operands.map((each) => nameOf(each, options.value("s") ?? "")) : [nameOf(path, suffix)];
  return { stdout: names.map((name) => name + (options.has("z") ? "\0" : "\n")).join("") };
});

/** just-bash's print something else for `/`, for slashes at the end, and if the suffix is the whole name. */
export const names = [dirname, basename];
