import type { NetAnswer, NetRequest } from "../../network.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { type Context, failed, type Run } from "./answer.ts";
import { concatBytes } from "./curl/bytes.ts";
import { dispositionName, saveTo } from "./curl/output.ts";
import { addressOf, basic, isSetByBrowser } from "./curl/request.ts";
import { isWrong } from "./curl/options.ts";
import { millisecondsOf, type NetHost, withinTime } from "./curl/time.ts";
import { readInput, statOf } from "./files.ts";
import { parseOptions } from "./options.ts";

/** Words for options that have no letter here, and options with a value. */
const long: Readonly<Record<string, string>> = {
  quiet: "q",
  verbose: "v",
  "no-verbose": "nv",
  "output-document": "O",
  "directory-prefix": "P",
  "input-file": "i",
  "server-response": "S",
  spider: "spider",
  header: "header",
  "post-data": "post-data",
  "post-file": "post-file",
  method: "method",
  "body-data": "body-data",
  "body-file": "body-file",
  "user-agent": "U",
  user: "user",
  password: "password",
  "http-user": "user",
  "http-password": "password",
  "no-clobber": "nc",
  "content-disposition": "content-disposition",
  "content-on-error": "content-on-error",
  timeout: "T",
  tries: "t",
  "no-check-certificate": "no-check-certificate",
  "show-progress": "show-progress",
  progress: "progress",
  "https-only": "https-only",
  "inet4-only": "4",
  "inet6-only": "6",
  version: "V",
  help: "h",
  recursive: "r",
  continue: "c",
  mirror: "m",
  "page-requisites": "p",
  background: "b",
  "load-cookies": "load-cookies",
  "save-cookies": "save-cookies",
  "output-file": "o",
  "append-output": "a",
  timestamping: "N",
};
const withValue = [
  "header",
  "post-data",
  "post-file",
  "method",
  "body-data",
  "body-file",
  "user",
  "password",
  "progress",
  "load-cookies",
  "save-cookies",
];

const refused: readonly (readonly [letters: string, why: string])[] = [
  ["r", "recursive downloads are not there; name the files"],
  ["m", "mirroring is not there; name the files"],
  ["p", "page requisites are not there; name the files"],
  ["c", "downloads can't be continued here; leave -c out to load the file whole"],
  ["b", "downloads in the background are not there"],
  ["N", "time stamps are not there"],
  ["o", "-o is not there; redirect stderr"],
  ["a", "-a is not there; redirect stderr"],
  ["load-cookies", "a browser lets no program see or set cookies"],
  ["save-cookies", "a browser lets no program see or set cookies"],
];

interface Plan {
  readonly host: NetHost;
  readonly context: Context;
  readonly request: Omit<NetRequest, "url">;
  readonly limitMs: number | null;
  readonly quiet: boolean;
  readonly brief: boolean;
  readonly spider: boolean;
  readonly showHeaders: boolean;
  readonly keepsExisting: boolean;
  readonly useDisposition: boolean;
  readonly saveErrors: boolean;
  readonly folder: string;
  readonly document: string | null;
}

interface Fetched {
  readonly log: string;
  readonly exitCode: number;
  /** For -O: what goes into the single file. */
  readonly body: Uint8Array;
}

/** wget on top of the browser's requests, for single files. wget's exit codes: 2 command line, 3 file, 4 network, 8 the server's answer. */
export function wget(host: NetHost): Run {
  return async (args, context) => {
    const short = args.flatMap((arg) => (arg === "-nv" ? ["--no-verbose"] : arg === "-nc" ? ["--no-clobber"] : [arg]));
    const options = parseOptions(short, "qvO:P:i:SU:T:t:Vhr46cmpbNo:a:", long, withValue);
    if (typeof options === "string") return { stderr: `wget: ${options}\nUsage: wget [OPTION]... [URL]...\n`, exitCode: 2 };
    if (options.has("V")) return { stdout: "GNU Wget 1.21.3 (Vibey): requests are made by the browser\n" };
    if (options.has("h"))
      return {
        stdout: `Usage: wget [OPTION]... [URL]...\nVibey's wget has: ${Object.keys(long)
          .map((name) => `--${name}`)
          .join(" ")}\n`,
      };
    for (const [letter, why] of refused) if (options.has(letter)) return failed("wget", why, 2);
    const urls = [...options.operands];
    const list = options.value("i");
    if (list !== null) {
      const read = await readInput(context, list);
      if (!read.ok) return failed("wget", `${list}: ${read.why}`, 3);
      urls.push(
        ...fromBytes(read.bytes, undefined)
          .split(/\s+/)
          .filter((line) => line !== ""),
      );
    }
    if (urls.length === 0) return { stderr: "wget: missing URL\nUsage: wget [OPTION]... [URL]...\n", exitCode: 2 };

    const headers: (readonly [string, string])[] = [["Accept", "*/*"]];
    let warnings = "";
    for (const line of options.values("header")) {
      const [, name = "", value = ""] = /^([^:\s]+):\s*([^]*)$/.exec(line) ?? [];
      if (name === "") return failed("wget", `Invalid header ‘${line}’.`, 2);
      if (isSetByBrowser(name)) warnings += `wget: the header ${name} was not sent: a browser sets it itself\n`;
      else headers.push([name, value.trim()]);
    }
    if (options.has("U")) warnings += "wget: the header User-Agent was not sent: a browser sets it itself\n";
    if (options.has("no-check-certificate"))
      warnings += "wget: --no-check-certificate changes nothing here: the browser checks certificates\n";
    const user = options.value("user");
    if (user !== null) headers.push(basic(`${user}:${options.value("password") ?? ""}`));
    const text = options.value("post-data") ?? options.value("body-data");
    const file = options.value("post-file") ?? options.value("body-file");
    const posts = options.has("post-data") || options.has("post-file");
    let body = text === null ? null : toBytes(text, undefined);
    if (file !== null) {
      const read = await readInput(context, file);
      if (!read.ok) return failed("wget", `BODY data file ‘${file}’ missing: ${read.why}`, 3);
      body = read.bytes;
    }
    if (body !== null && !headers.some(([name]) => name.toLowerCase() === "content-type"))
      headers.push(["Content-Type", "application/x-www-form-urlencoded"]);
    const limit = options.value("T");
    const limitMs = limit === null || limit === "0" ? null : millisecondsOf(limit);
    if (limit !== null && limit !== "0" && limitMs === null) return failed("wget", `--timeout: Invalid time period ‘${limit}’`, 2);
    const document = options.value("O");
    const method = options.value("method")?.toUpperCase() ?? (posts ? "POST" : options.has("spider") ? "HEAD" : "GET");
    const plan: Plan = {
      host,
      context,
      request: { method, headers, body, program: "wget", follow: true },
      limitMs,
      quiet: options.has("q"),
      brief: options.has("nv"),
      spider: options.has("spider"),
      showHeaders: options.has("S"),
      keepsExisting: options.has("nc"),
      useDisposition: options.has("content-disposition"),
      saveErrors: options.has("content-on-error"),
      folder: options.value("P") ?? "",
      document,
    };
    let stderr = warnings;
    let exitCode = 0;
    const bodies: Uint8Array[] = [];
    for (const url of urls) {
      const done = await oneUrl(plan, url);
      stderr += done.log;
      bodies.push(done.body);
      // The worst code counts: in wget that is the smaller number, and 8 is the mildest.
      exitCode = exitCode === 0 ? done.exitCode : done.exitCode === 0 ? exitCode : Math.min(exitCode, done.exitCode);
      if (host.stop() !== null) break;
    }
    if (document === null || plan.spider) return { stderr, exitCode };
    const whole = concatBytes(bodies);
    if (document === "-" || document === "/dev/stdout") return { stdout: whole, stderr, exitCode };
    // wget creates the file before the request, so it exists even if nothing arrived.
    const why = await saveTo(context, document, whole, false);
    return why === null ? { stderr, exitCode } : { stderr: `${stderr}${document}: ${why}\n`, exitCode: 3 };
  };
}

async function oneUrl(plan: Plan, typed: string): Promise<Fetched> {
  const none = new Uint8Array();
  const address = addressOf(typed, "http");
  if (isWrong(address))
    return { log: `${typed}: ${address.exitCode === 1 ? "Unsupported scheme" : "Invalid host name"}.\n`, exitCode: 1, body: none };
  const log: string[] = [];
  const say = (text: string): void => {
    if (!plan.quiet && !plan.brief) log.push(text);
  };
  const url = address.url;
  say(`--${stamp()}--  ${url}\n`);
  const headers = address.user === null ? plan.request.headers : [...plan.request.headers, basic(address.user)];
  const answer = await withinTime(plan.host, { ...plan.request, url, headers }, plan.limitMs);
  if (answer === null) return { log: `${log.join("")}wget: ${url}: no answer in time\n`, exitCode: 4, body: none };
  // Also printed with -q, because only the user and the browser know the reason.
  if (answer.kind !== "answer")
    return { log: `${log.join("")}wget: ${answer.kind === "refused" ? "not allowed: " : ""}${answer.why}\n`, exitCode: 4, body: none };
  const status = `${answer.status}${answer.statusText === "" ? "" : ` ${answer.statusText}`}`;
  say(`HTTP request sent, awaiting response... ${plan.showHeaders ? "\n" : `${status}\n`}`);
  if (plan.showHeaders && !plan.quiet)
    log.push(`  HTTP/1.1 ${status}\n${answer.headers.map(([name, value]) => `  ${name}: ${value}\n`).join("")}`);
  if (answer.status >= 400) {
    if (plan.brief && !plan.quiet) log.push(`${url}:\n`);
    if (!plan.quiet)
      log.push(plan.spider && answer.status === 404 ? "Remote file does not exist -- broken link!!!\n" : `${stamp()} ERROR ${status}.\n`);
    if (!plan.saveErrors || plan.spider) return { log: log.join(""), exitCode: 8, body: none };
  }
  say(`Length: ${answer.body.length} [${headerOf(answer, "content-type").split(";")[0] ?? ""}]\n`);
  const code = answer.status >= 400 ? 8 : 0;
  if (plan.spider) {
    say("Remote file exists.\n\n");
    if (plan.brief && !plan.quiet) log.push(`${stamp()} URL: ${url} ${status}\n`);
    return { log: log.join(""), exitCode: code, body: none };
  }
  if (plan.document !== null) {
    say(`Saving to: ‘${plan.document === "-" ? "STDOUT" : plan.document}’\n\n`);
    return { log: log.join(""), exitCode: code, body: answer.body };
  }
  const name = await freeName(plan, answer);
  if (name === null)
    return { log: `${log.join("")}${plan.quiet ? "" : "File already there; not retrieving.\n\n"}`, exitCode: code, body: none };
  say(`Saving to: ‘${name}’\n\n`);
  const why = await saveTo(plan.context, name, answer.body, true);
  if (why !== null) return { log: `${log.join("")}${name}: ${why}\n\nCannot write to ‘${name}’ (${why}).\n`, exitCode: 3, body: none };
  say(`${stamp()} - ‘${name}’ saved [${answer.body.length}/${answer.body.length}]\n\n`);
  if (plan.brief && !plan.quiet) log.push(`${stamp()} URL:${url} [${answer.body.length}/${answer.body.length}] -> "${name}" [1]\n`);
  return { log: log.join(""), exitCode: code, body: none };
}

/** A file name that is not taken; null if it is taken and -nc is set. */
async function freeName(plan: Plan, answer: Extract<NetAnswer, { readonly kind: "answer" }>): Promise<string | null> {
  const url = new URL(answer.url);
  const given = plan.useDisposition ? dispositionName(answer.headers) : null;
  const last = url.pathname.split("/").at(-1) ?? "";
  const usual = `${last === "" ? "index.html" : decoded(last)}${decoded(url.search)}`;
  const name = (given ?? usual).replaceAll("/", "%2F");
  const at = plan.folder === "" || plan.folder === "." ? name : `${plan.folder.replace(/\/$/, "")}/${name}`;
  if ((await statOf(plan.context, at)) === null) return at;
  if (plan.keepsExisting) return null;
  for (let number = 1; ; number++) if ((await statOf(plan.context, `${at}.${number}`)) === null) return `${at}.${number}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function headerOf(answer: Extract<NetAnswer, { readonly kind: "answer" }>, name: string): string {
  return answer.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? "";
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19).replace("T", " ");
}
