import type { NetRequest } from "../../network.ts";
import type { Answer, Context, Run } from "./answer.ts";
import { concatBytes, textBytes } from "./curl/bytes.ts";
import { expandUrl, type Globbed } from "./curl/glob.ts";
import { type CurlOptions, help, isWrong, parseCurl, type Wrong } from "./curl/options.ts";
import { fileFor, type Output, outputsOf, saveTo } from "./curl/output.ts";
import { addressOf, basic, completed, type CurlRequest, requestOf } from "./curl/request.ts";
import { millisecondsOf, type NetHost } from "./curl/time.ts";
import { headLines, transfer, type TransferOptions } from "./curl/transfer.ts";
import { templateText, writeOut } from "./curl/write-out.ts";
import { readInput } from "./files.ts";

const version = "curl 7.88.1 (Vibey)\nProtocols: http https\nFeatures: requests are made by the browser\n";

/** curl on top of the browser's requests. What a browser can't do is refused or causes a warning. */
export function curl(host: NetHost): Run {
  return async (args, context) => {
    const options = parseCurl(args);
    if (isWrong(options)) return said(options);
    if (options.has("help")) return { stdout: help() };
    if (options.has("version")) return { stdout: version };
    const plan = await readPlan(options, context, host);
    if (isWrong(plan)) return said(plan);
    const stdout: Uint8Array[] = [];
    let stderr = plan.request.warnings.map((line) => `${line}\n`).join("");
    let exitCode = 0;
    for (const [number, target] of plan.targets.entries()) {
      const done = await oneUrl(host, options, plan, target, number, context);
      stdout.push(...done.stdout);
      stderr += done.stderr;
      exitCode = done.exitCode;
      if (host.stop() !== null || (exitCode !== 0 && options.has("fail-early"))) break;
    }
    return { stdout: concatBytes(stdout), stderr, exitCode };
  };
}

interface Plan {
  readonly request: CurlRequest;
  readonly targets: readonly Target[];
  readonly how: TransferOptions;
  readonly template: string | null;
}

interface Target {
  readonly globbed: Globbed;
  readonly output: Output;
}

async function readPlan(options: CurlOptions, context: Context, host: NetHost): Promise<Plan | Wrong> {
  const typed = options.values("url");
  if (typed.length === 0)
    return { exitCode: 2, message: "no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information" };
  const outputs = outputsOf(options, typed.length);
  const targets: Target[] = [];
  for (const [i, pattern] of typed.entries()) {
    const urls = options.has("globoff") ? [{ url: pattern, parts: [] }] : expandUrl(pattern);
    if (isWrong(urls)) return urls;
    for (const globbed of urls) targets.push({ globbed, output: outputs[i] ?? { kind: "stdout" } });
  }
  const request = await requestOf(options, context, () => crypto.randomUUID().replaceAll("-", "").slice(0, 16));
  if (isWrong(request)) return request;
  const numbers = new Map<string, number | null>();
  for (const name of ["max-time", "retry", "retry-delay", "retry-max-time"]) {
    const value = options.value(name);
    const number = value === null ? null : millisecondsOf(value);
    if (value !== null && number === null)
      return {
        exitCode: 2,
        message: `option --${name}: expected a proper numerical parameter\ncurl: try 'curl --help' or 'curl --manual' for more information`,
      };
    numbers.set(name, number === 0 ? null : number);
  }
  let template = options.value("write-out");
  if (template?.startsWith("@") === true) {
    const read = await readInput(context, template.slice(1));
    if (!read.ok) return { exitCode: 26, message: `Failed to open ${template.slice(1)}` };
    template = templateText(read.bytes);
  }
  const how: TransferOptions = {
    options,
    limitMs: numbers.get("max-time") ?? null,
    retries: {
      count: (numbers.get("retry") ?? 0) / 1000,
      delayMs: numbers.get("retry-delay") ?? null,
      maxMs: numbers.get("retry-max-time") ?? null,
    },
    sleep: (ms) => (context.sleep ? context.sleep(ms) : new Promise((resolve) => setTimeout(resolve, Math.min(ms, host.timeLeft())))),
  };
  return { request, targets, how, template };
}

interface Done {
  readonly stdout: readonly Uint8Array[];
  readonly stderr: string;
  readonly exitCode: number;
}

async function oneUrl(host: NetHost, options: CurlOptions, plan: Plan, target: Target, number: number, context: Context): Promise<Done> {
  const { request, how, template } = plan;
  const quiet = options.has("silent") && !options.has("show-error");
  const address = addressOf(target.globbed.url, options.value("proto-default") ?? "http");
  const only = options.value("proto");
  if (isWrong(address)) return { stdout: [], stderr: quiet ? "" : `curl: ${address.message}\n`, exitCode: address.exitCode };
  const scheme = address.url.startsWith("https:") ? "https" : "http";
  if (only !== null && only.startsWith("=") && !only.slice(1).split(",").includes(scheme))
    return { stdout: [], stderr: quiet ? "" : `curl: (1) Protocol "${scheme}" not supported or disabled in libcurl\n`, exitCode: 1 };
  const net: NetRequest = {
    url: completed(address.url, request.payload.query, options.value("upload-file")),
    method: request.method,
    headers: address.user === null || options.has("user") ? request.headers : [...request.headers, basic(address.user)],
    body: request.payload.body,
    program: "curl",
    follow: options.has("location") || options.has("location-trusted"),
  };
  const started = performance.now();
  const done = await transfer(host, net, how);
  const seconds = (performance.now() - started) / 1000;
  const stdout: Uint8Array[] = [];
  let { exitCode, error } = done;
  let { stderr } = done;
  let file: string | null = null;

  if (done.answer) {
    const dump = options.value("dump-header");
    const head = textBytes(`${headLines(done.answer).join("\r\n")}\r\n\r\n`);
    if (dump === "-") stdout.push(head);
    else if (dump !== null) {
      const why = await saveTo(context, dump, head, false);
      if (why !== null) [exitCode, error] = [23, `(23) Failed writing header: ${why}`];
    }
    // A transfer that -f ended has no output and creates no file.
    if (exitCode !== 22 || options.has("fail-with-body")) {
      const place = fileFor(target.output, options, { url: net.url, answer: done.answer, parts: target.globbed.parts });
      if (isWrong(place)) [exitCode, error] = [place.exitCode, place.message];
      else if (place.file === null) stdout.push(done.output);
      else {
        const why = await saveTo(context, place.file, done.output, options.has("create-dirs"));
        file = place.file;
        if (why !== null) {
          if (!quiet) stderr += `Warning: Failed to open the file ${place.file}: ${why}\n`;
          [exitCode, error] = [23, "(23) Failure writing output to destination"];
        }
      }
    }
  }
  if (error !== "" && (!quiet || done.important)) stderr += `curl: ${error}\n`;
  if (template !== null) {
    const written = writeOut(template, {
      url: net.url,
      urlNumber: number,
      method: net.method,
      answer: done.answer && { ...done.answer, size: net.method === "HEAD" ? 0 : done.answer.body.length },
      uploaded: net.body?.length ?? 0,
      seconds,
      redirected: done.answer !== null && done.answer.url !== net.url,
      file,
      exitCode,
      error: error.replace(/^\(\d+\) /, ""),
    });
    stdout.push(textBytes(written.stdout));
    stderr += written.stderr;
  }
  return { stdout, stderr, exitCode };
}

function said({ exitCode, message }: Wrong): Answer {
  return { stderr: `curl: ${message}\n`, exitCode };
}
