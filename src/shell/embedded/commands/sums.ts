import { md5 } from "@noble/hashes/legacy.js";
import { fromBytes } from "../encoding.ts";
import { type Answer, type Context, failed } from "./answer.ts";
import { command } from "./command.ts";
import { readInput } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

type Sum = (bytes: Uint8Array) => Promise<string>;

const digest =
  (algorithm: string): Sum =>
  async (bytes) =>
    fromBytes(new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice())), "hex");

const long = {
  check: "c",
  binary: "b",
  text: "t",
  warn: "w",
  zero: "z",
  quiet: "quiet",
  status: "status",
  strict: "strict",
  "ignore-missing": "missing",
};

/** `sha512sum` and similar commands: prints the checksums of files, or checks a list with `-c`. */
function checksum(name: string, sum: Sum): ReturnType<typeof command> {
  return command(name, async (args, context) => {
    const options = parseOptions(args, "cbtwz", long);
    if (typeof options === "string") return failed(name, options);
    const files = options.operands.length === 0 ? ["-"] : options.operands;
    if (options.has("c")) return check(name, sum, files, options, context);
    let stdout = "";
    let stderr = "";
    for (const file of files) {
      const read = await readInput(context, file);
      if (read.ok) stdout += `${await sum(read.bytes)} ${options.has("b") ? "*" : " "}${file}\n`;
      else stderr += `${name}: ${file}: ${read.why}\n`;
    }
    return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
  });
}

async function check(name: string, sum: Sum, lists: readonly string[], options: Options, context: Context): Promise<Answer> {
  const silent = options.has("status");
  let stdout = "";
  let stderr = "";
  let wrong = 0;
  let unread = 0;
  let improperLists = 0;
  for (const list of lists) {
    const read = await readInput(context, list);
    if (!read.ok) return failed(name, `${list}: ${read.why}`);
    let [listed, improper, verified] = [0, 0, 0];
    for (const line of fromBytes(read.bytes, undefined).split("\n")) {
      const [, expected, file] = /^([0-9a-fA-F]{32,}) [ *](.+)$/.exec(line) ?? [];
      if (expected === undefined || file === undefined) {
        if (line !== "") improper++;
        continue;
      }
      listed++;
      const content = await readInput(context, file);
      if (!content.ok && options.has("missing") && content.why === "No such file or directory") continue;
      verified++;
      if (!content.ok) {
        stderr += `${name}: ${file}: ${content.why}\n`;
        stdout += `${file}: FAILED open or read\n`;
        unread++;
      } else if ((await sum(content.bytes)) !== expected.toLowerCase()) {
        stdout += `${file}: FAILED\n`;
        wrong++;
      } else if (!options.has("quiet")) stdout += `${file}: OK\n`;
    }
    if (listed === 0) {
      stderr += `${name}: ${list === "-" ? "'standard input'" : list}: no properly formatted checksum lines found\n`;
      improperLists++;
    } else if (verified === 0) {
      stderr += `${name}: ${list === "-" ? "'standard input'" : list}: no file was verified\n`;
      improperLists++;
    } else if (improper > 0) stderr += `${name}: WARNING: ${improper} line${improper === 1 ? " is" : "s are"} improperly formatted\n`;
    if (improper > 0 && options.has("strict")) improperLists++;
  }
  if (unread > 0) stderr += `${name}: WARNING: ${unread} listed file${unread === 1 ? "" : "s"} could not be read\n`;
  if (wrong > 0) stderr += `${name}: WARNING: ${wrong} computed checksum${wrong === 1 ? "" : "s"} did NOT match\n`;
  return { stdout: silent ? "" : stdout, stderr: silent ? "" : stderr, exitCode: wrong + unread + improperLists > 0 ? 1 : 0 };
}

/** POSIX's checksum, of `cksum` without options. */
const cksum = command("cksum", async (args, context) => {
  let stdout = "";
  let stderr = "";
  for (const file of args.length === 0 ? ["-"] : args) {
    const read = await readInput(context, file);
    if (read.ok) stdout += `${posixCrc(read.bytes)} ${read.bytes.length}${args.length === 0 ? "" : ` ${file}`}\n`;
    else stderr += `cksum: ${file}: ${read.why}\n`;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
});

function posixCrc(bytes: Uint8Array): number {
  let crc = 0;
  const add = (byte: number): void => {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  };
  for (const byte of bytes) add(byte);
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 0xff);
  return ~crc >>> 0;
}

export const sums = [
  checksum("md5sum", (bytes) => Promise.resolve(fromBytes(md5(bytes), "hex"))),
  checksum("sha1sum", digest("SHA-1")),
  checksum("sha256sum", digest("SHA-256")),
  checksum("sha512sum", digest("SHA-512")),
  checksum("sha384sum", digest("SHA-384")),
  cksum,
];
