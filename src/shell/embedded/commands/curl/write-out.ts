import { fromBytes } from "../../encoding.ts";

/** The facts about a transfer for `-w`. */
export interface TransferFacts {
  readonly url: string;
  readonly urlNumber: number;
  readonly method: string;
  readonly answer: {
    readonly url: string;
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** In bytes. */
    readonly size: number;
  } | null;
  readonly uploaded: number;
  readonly seconds: number;
  readonly redirected: boolean;
  readonly file: string | null;
  readonly exitCode: number;
  readonly error: string;
}

export interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** Fills in the template of `-w`. Values that only curl itself could know are left out, and named on stderr. */
export function writeOut(template: string, facts: TransferFacts): Written {
  const texts = { stdout: "", stderr: "" };
  let to: "stdout" | "stderr" = "stdout";
  for (let at = 0; at < template.length; ) {
    const rest = template.slice(at);
    const escape = /^\\([nrt])/.exec(rest);
    const variable = /^%\{([^}]*)\}/.exec(rest);
    const header = /^%header\{([^}]*)\}/.exec(rest);
    if (escape) texts[to] += escape[1] === "n" ? "\n" : escape[1] === "r" ? "\r" : "\t";
    else if (header) texts[to] += headerOf(facts, header[1] ?? "");
    else if (rest.startsWith("%%")) texts[to] += "%";
    else if (variable) {
      const name = variable[1] ?? "";
      if (name === "stdout" || name === "stderr") to = name;
      else if (name === "onerror") {
        if (facts.exitCode === 0) return texts;
      } else {
        const value = valueOf(name, facts);
        if (value === null) texts.stderr += `curl: unknown --write-out variable: '${name}'\n`;
        else if (value === unknown) texts.stderr += `curl: --write-out: a browser does not tell '${name}'\n`;
        else texts[to] += value;
      }
    } else texts[to] += template.charAt(at);
    at += escape ? 2 : (variable?.[0].length ?? header?.[0].length ?? (rest.startsWith("%%") ? 2 : 1));
  }
  return texts;
}

const unknown = Symbol("unknown");

function headerOf({ answer }: TransferFacts, name: string): string {
  return answer?.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? "";
}

function valueOf(name: string, facts: TransferFacts): string | null | typeof unknown {
  const { answer } = facts;
  switch (name) {
    case "http_code":
    case "response_code":
      return String(answer?.status ?? 0).padStart(3, "0");
    case "url_effective":
      return answer?.url ?? facts.url;
    case "url":
      return facts.url;
    case "urlnum":
      return String(facts.urlNumber);
    case "method":
      return facts.method;
    case "scheme":
      return facts.url.startsWith("https:") ? "HTTPS" : "HTTP";
    case "content_type":
      return headerOf(facts, "content-type");
    case "redirect_url": {
      const to = headerOf(facts, "location");
      return to === "" || !answer ? "" : new URL(to, answer.url).href;
    }
    case "size_download":
      return String(answer?.size ?? 0);
    case "size_upload":
      return String(facts.uploaded);
    case "speed_download":
      return String(facts.seconds > 0 ? Math.floor((answer?.size ?? 0) / facts.seconds) : 0);
    case "time_total":
      return facts.seconds.toFixed(6);
    case "num_redirects":
      return facts.redirected ? unknown : "0";
    case "num_headers":
      return String(answer?.headers.length ?? 0);
    case "header_json":
      return JSON.stringify(Object.fromEntries((answer?.headers ?? []).map(([key, value]) => [key, [value]])), null, 2);
    case "filename_effective":
      return facts.file ?? "";
    case "exitcode":
      return String(facts.exitCode);
    case "errormsg":
      return facts.error;
    case "http_version":
    case "http_connect":
    case "num_connects":
    case "local_ip":
    case "local_port":
    case "remote_ip":
    case "remote_port":
    case "size_header":
    case "size_request":
    case "speed_upload":
    case "ssl_verify_result":
    case "proxy_ssl_verify_result":
    case "time_appconnect":
    case "time_connect":
    case "time_namelookup":
    case "time_pretransfer":
    case "time_redirect":
    case "time_starttransfer":
    case "ftp_entry_path":
    case "referer":
    case "certs":
    case "num_certs":
    case "json":
      return unknown;
    default:
      return null;
  }
}

export function templateText(bytes: Uint8Array): string {
  return fromBytes(bytes, undefined);
}
