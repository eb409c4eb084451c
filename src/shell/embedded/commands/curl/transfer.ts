import type { NetAnswer, NetRequest } from "../../../network.ts";
import { concatBytes, textBytes } from "./bytes.ts";
import type { CurlOptions } from "./options.ts";
import { type NetHost, withinTime } from "./time.ts";

type Answered = Extract<NetAnswer, { readonly kind: "answer" }>;

/** How one URL went. */
export interface Transfer {
  readonly answer: Answered | null;
  /** What belongs to the output: headers and content, as the options ask. */
  readonly output: Uint8Array;
  readonly exitCode: number;
  /** "(7) why"; "" when all went well. */
  readonly error: string;
  /** The error is said with -s, too: no one but the user and the browser can tell. */
  readonly important: boolean;
  /** What -v shows and warnings of retries. */
  readonly stderr: string;
}

export interface TransferOptions {
  readonly options: CurlOptions;
  /** Milliseconds; null: none but the command's own. */
  readonly limitMs: number | null;
  readonly retries: Retries;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Retries {
  readonly count: number;
  /** Milliseconds between two; null: one second, doubled each time. */
  readonly delayMs: number | null;
  /** Milliseconds from the first request on, after which no other is made. */
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
  const answer = await withinTime(host, request, limitMs);
  if (answer === null) {
    const error = `(28) Operation timed out after ${Math.round(limitMs ?? 0)} milliseconds with 0 bytes received`;
    return { answer: null, output: none, exitCode: 28, error, important: false, stderr };
  }
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
  const head = textBytes(`${headLines(answer).join("\r\n")}\r\n\r\n`);
  const body = request.method === "HEAD" ? none : answer.body;
  const output = options.has("head") || options.has("include") ? concatBytes([head, body]) : body;
  if (bad && options.has("fail-with-body")) {
    const error = `(22) The requested URL returned error: ${answer.status}`;
    return { answer, output, exitCode: 22, error, important: false, stderr };
  }
  return { answer, output, exitCode: 0, error: "", important: false, stderr };
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

/** A browser does not tell the version. HTTP/1.1 alone has words beside the number. */
export function headLines(answer: Answered): string[] {
  const first = answer.statusText === "" ? `HTTP/2 ${answer.status} ` : `HTTP/1.1 ${answer.status} ${answer.statusText}`;
  return [first, ...answer.headers.map(([name, value]) => `${name}: ${value}`)];
}
