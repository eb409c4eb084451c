import type { NetAnswer, NetRequest } from "../../../network.ts";
import { ownPort } from "../../loopback/fetch.ts";
import { decompress } from "../deflate.ts";
import { concatBytes, textBytes } from "./bytes.ts";
import type { CurlOptions } from "./options.ts";
import { type Begun, type NetHost, withinTime } from "./time.ts";

type Answered = Extract<NetAnswer, { readonly kind: "answer" }>;

/** The result of a URL's transfer. */
export interface Transfer {
  readonly answer: Answered | null;
  /** The output: headers and content, according to the options. */
  readonly output: Uint8Array;
  readonly exitCode: number;
  /** "(7) why"; "" without an error. */
  readonly error: string;
  /** Print the error even with -s: only the user and the browser know the reason. */
  readonly important: boolean;
  /** The output of -v, and warnings about retries. */
  readonly stderr: string;
}

export interface TransferOptions {
  readonly options: CurlOptions;
  /** Milliseconds; null: only the command's own limit. */
  readonly limitMs: number | null;
  readonly retries: Retries;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Retries {
  readonly count: number;
  /** Milliseconds between two retries; null: one second, doubled each time. */
  readonly delayMs: number | null;
  /** Milliseconds from the first request on, after which no retry is made. */
  readonly maxMs: number | null;
}

const transient = new Set([408, 429, 500, 502, 503, 504]);

export async function transfer(host: NetHost, request: NetRequest, how: TransferOptions): Promise<Transfer> {
  let stderr = "";
  const started = host.timeLeft();
  for (let left = how.retries.count, delay = 1000; ; left--, delay *= 2) {
    const once = await transferOnce(host, request, how);
    stderr += once.stderr;
    const again = left > 0 && host.stop() === null && isWorthAnother(once, how.options);
    const wait = how.retries.delayMs ?? Math.min(delay, 600_000);
    const tooLate = how.retries.maxMs !== null && started - host.timeLeft() + wait > how.retries.maxMs;
    if (!again || tooLate) return { ...once, stderr };
    if (!how.options.has("silent"))
      stderr += `Warning: Problem: ${once.answer ? "HTTP error" : "transfer failed"}. Will retry in ${Math.ceil(wait / 1000)} seconds. ${left} retries left.\n`;
    await how.sleep(wait);
  }
}

function isWorthAnother(once: Transfer, options: CurlOptions): boolean {
  if (once.answer) return transient.has(once.answer.status) || (once.exitCode !== 0 && options.has("retry-all-errors"));
  return (
    once.exitCode === 28 ||
    (once.exitCode === 7 && !once.error.startsWith(refusedMark) && (options.has("retry-all-errors") || options.has("retry-connrefused")))
  );
}

const refusedMark = "(7) not allowed: ";

async function transferOnce(host: NetHost, request: NetRequest, { options, limitMs }: TransferOptions): Promise<Transfer> {
  const none = new Uint8Array();
  const verbose = options.has("verbose");
  let stderr = verbose ? sentLines(request) : "";
  const begun: Begun = { head: null, pieces: [] };
  const compressed = options.has("compressed") && ownPort(request.url) !== null;
  const asked: NetRequest = compressed ? { ...request, headers: [...request.headers, ["Accept-Encoding", "deflate, gzip"]] } : request;
  const given = await withinTime(host, asked, limitMs, begun);
  if (given === null || (given.kind === "failed" && given.isCut === true && begun.head !== null)) {
    const body = concatBytes(begun.pieces);
    const answer = begun.head && { ...begun.head, body };
    const output = answer === null ? none : outputOf(answer, request, options);
    if (given !== null)
      return { answer, output, exitCode: 18, error: `(18) transfer closed with outstanding read data remaining`, important: true, stderr };
    const error = `(28) Operation timed out after ${Math.round(limitMs ?? 0)} milliseconds with ${body.length} bytes received`;
    return { answer, output, exitCode: 28, error, important: false, stderr };
  }
  const answer = compressed ? await decoded(given) : given;
  if (answer.kind === "failed" && answer.isEmpty === true)
    return { answer: null, output: none, exitCode: 52, error: "(52) Empty reply from server", important: false, stderr };
  if (answer.kind !== "answer") {
    const error = answer.kind === "refused" ? `${refusedMark}${answer.why}` : `(7) ${answer.why}`;
    return { answer: null, output: none, exitCode: 7, error, important: true, stderr };
  }
  if (verbose)
    stderr += `${headLines(answer)
      .map((line) => `< ${line}\n`)
      .join("")}< \n`;
  const bad = answer.status >= 400;
  if (bad && options.has("fail")) {
    const error = `(22) The requested URL returned error: ${answer.status}`;
    return { answer, output: none, exitCode: 22, error, important: false, stderr };
  }
  const output = outputOf(answer, request, options);
  if (bad && options.has("fail-with-body")) {
    const error = `(22) The requested URL returned error: ${answer.status}`;
    return { answer, output, exitCode: 22, error, important: false, stderr };
  }
  return { answer, output, exitCode: 0, error: "", important: false, stderr };
}

/** Headers and content, according to the options. */
function outputOf(answer: Answered, request: NetRequest, options: CurlOptions): Uint8Array {
  const head = textBytes(`${headLines(answer).join("\r\n")}\r\n\r\n`);
  const body = request.method === "HEAD" ? new Uint8Array() : answer.body;
  return options.has("head") || options.has("include") ? concatBytes([head, body]) : body;
}

/** Decodes the answer of one of the dialog's servers; the browser decodes all others. */
async function decoded(answer: NetAnswer): Promise<NetAnswer> {
  if (answer.kind !== "answer" || answer.body.length === 0 || ownPort(answer.url) === null) return answer;
  const encoding = answer.headers.find(([name]) => name === "content-encoding")?.[1].toLowerCase();
  try {
    if (encoding === "gzip" || encoding === "x-gzip") return { ...answer, body: await decompress(answer.body, "gzip") };
    if (encoding === "deflate") return { ...answer, body: await decompress(answer.body, "deflate") };
  } catch (error) {
    return { kind: "failed", why: `the content is not ${encoding}: ${error instanceof Error ? error.message : String(error)}` };
  }
  return answer;
}

function sentLines(request: NetRequest): string {
  const url = new URL(request.url);
  const lines = [
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `* A browser makes this request; it adds headers of its own\n${lines.map((line) => `> ${line}\n`).join("")}> \n`;
}

/** The browser does not reveal the HTTP version. Only HTTP/1.1 has a text after the status number. */
export function headLines(answer: Answered): string[] {
  const first = answer.statusText === "" ? `HTTP/2 ${answer.status} ` : `HTTP/1.1 ${answer.status} ${answer.statusText}`;
  return [first, ...answer.headers.map(([name, value]) => `${name}: ${value}`)];
}
