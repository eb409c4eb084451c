import { failed } from "./answer.ts";
import { command } from "./command.ts";
import { parseOptions } from "./options.ts";
import { statOf } from "./files.ts";

/** A fixed machine with one user. */
const machine = { s: "Linux", n: "localhost", r: "6.1.0", v: "#1 vibey", m: "x86_64", o: "GNU/Linux" } as const;

const uname = command("uname", (args) => {
  const options = parseOptions(args, "asnrvmpio", {
    all: "a",
    "kernel-name": "s",
    nodename: "n",
    "kernel-release": "r",
    machine: "m",
    "operating-system": "o",
  });
  if (typeof options === "string") return failed("uname", options);
  if (options.operands.length > 0) return failed("uname", `extra operand '${options.operands[0]}'`);
  const asked = (["s", "n", "r", "v", "m", "o"] as const).filter((letter) => options.has("a") || options.has(letter));
  return { stdout: `${(asked.length === 0 ? (["s"] as const) : asked).map((letter) => machine[letter]).join(" ")}\n` };
});

const id = command("id", (args) => {
  const options = parseOptions(args, "ugGnr", { user: "u", group: "g", groups: "G", name: "n", real: "r" });
  if (typeof options === "string") return failed("id", options);
  const one = options.has("u") || options.has("g") || options.has("G");
  if (!one && options.has("n")) return failed("id", "printing only names or real IDs requires -u, -g, or -G");
  if (one) return { stdout: options.has("n") ? "user\n" : "1000\n" };
  return { stdout: "uid=1000(user) gid=1000(user) groups=1000(user)\n" };
});

const free = command("free", () => failed("free", "memory is not known here", 1));

const df = command("df", async (args, context) => {
  const options = parseOptions(args, "hkTPamBi");
  if (typeof options === "string") return failed("df", options);
  for (const path of options.operands)
    if ((await statOf(context, path)) === null) return failed("df", `${path}: No such file or directory`);
  return {
    stdout: options.has("h")
      ? "Filesystem      Size  Used Avail Use% Mounted on\nvibey           1.0G     0  1.0G   0% /\n"
      : "Filesystem     1K-blocks  Used Available Use% Mounted on\nvibey             976562     0    976562   0% /\n",
  };
});

/** There are no system limits here: setting one succeeds and has no effect. */
const ulimit = command("ulimit", (args) => {
  const wrong = args.find((arg) => /^-\d/.test(arg) || !/^(?:-[SHabcdefiklmnpqrstuvxPRT]*|\d+|unlimited|hard|soft)$/.test(arg));
  if (wrong !== undefined) return failed("bash: ulimit", `${wrong}: invalid ${wrong.startsWith("-") ? "option" : "number"}`);
  return args.some((arg) => !arg.startsWith("-")) ? {} : { stdout: "unlimited\n" };
});

/** Files are created with mode 644 and folders with 755. Another mask has no effect, and the command says so. */
const umask = command("umask", (args) => {
  const options = parseOptions(args, "Sp");
  if (typeof options === "string") return failed("bash: umask", options, 2);
  const [mask] = options.operands;
  if (mask !== undefined && /^\d/.test(mask) && !/^0*[0-7]{1,3}$/.test(mask))
    return failed("bash: umask", `${mask}: octal number out of range`);
  const isUsual = mask === undefined || /^(?:0*22|u=rwx,g=rx,o=rx|u=rwx,go=rx)$/.test(mask);
  if (!isUsual) return { stderr: `bash: umask: ${mask}: this has no effect here; use chmod\n` };
  if (options.has("S")) return { stdout: `${options.has("p") && mask === undefined ? "umask -S " : ""}u=rwx,g=rx,o=rx\n` };
  return mask === undefined ? { stdout: `${options.has("p") ? "umask " : ""}0022\n` } : {};
});

export const system = [
  uname,
  id,
  free,
  df,
  command("arch", () => ({ stdout: "x86_64\n" })),
  command("groups", () => ({ stdout: "user\n" })),
  command("logname", () => ({ stdout: "user\n" })),
  command("nproc", () => ({ stdout: "1\n" })),
  command("sync", () => ({})),
  command("tty", (args) => (args.includes("-s") ? { exitCode: 1 } : { stdout: "not a tty\n", exitCode: 1 })),
  command("stty", () => failed("stty", "'standard input': Inappropriate ioctl for device")),
  command("tput", (args) => (args[0] === "cols" ? { stdout: "80\n" } : args[0] === "lines" ? { stdout: "24\n" } : {})),
  umask,
  ulimit,
];
