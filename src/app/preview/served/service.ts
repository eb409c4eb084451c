import { leadsElsewhere, noNetworkServed, notNamed, tooMuchSent } from "../../texts/preview-build.ts";
import { strangeQuestion } from "../../texts/preview.ts";
import type { Build } from "../build/builder.ts";
import type { Part } from "../build/built.ts";
import type { FilledPart, FilledScript } from "../build/scripts.ts";
import { createKept } from "../kept.ts";
import { field, longestScript } from "../service.ts";
import type { AskSite, ServerAnswer, Site } from "./server-calls.ts";

/** The data that a page submits with a form. */
export interface Form {
  readonly type: string;
  readonly blob: Blob;
}

/** A server's answer, with its body as a blob, which the browser may store on disk. */
type Head = Omit<ServerAnswer, "body">;
type Got = { readonly ok: true; readonly answer: Head; readonly blob: Blob } | { readonly ok: false; readonly problem: string };

/** The maximum number of headers, and of body bytes, that a page may send with one request. */
const most = { headers: 100, bytes: 16_000_000 };

/** The maximum number of simultaneous requests of a page, the same as a browser allows per server. */
const atOnce = 6;

const headerOf = ({ headers }: Head, name: string): string => headers.find(([each]) => each === name)?.[1] ?? "";

const isHeader = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");

/** How JSX elements would become calls. A server's scripts contain none. */
const noJsx = { runtime: "classic", pragma: "", fragment: "" } as const;

/**
 * Answers the frame's questions while it shows a page of a server, as `service.ts` does for pages of the project. A path is an address on the site,
 * without the leading slash and with its query. Additional questions:
 *
 *   document              `{mime, at}` and, unless it is an image or similar, `{text}`: the page itself
 *   request, with `method`, `headers`, `body`, `follow`   `{status, statusText, headers, url, blob}`: what a script of the page asks for
 *
 * `{missing: true}` if the server has no such thing, `{problem}` if it can't be reached. `form`: the data sent with the next document.
 */
export function createServed(ask: AskSite, build: Build) {
  /** The answers for this page. A page requests each address once, as with a browser's cache, as far as there is room. */
  const known = createKept<Got>((got) => (got.ok ? got.blob.size : 0));
  let form: Form | null = null;
  let underWay = 0;
  const waiting: (() => void)[] = [];

  async function get(site: Site, path: string, method: string, options: Partial<Asked> = {}): Promise<Got> {
    const { headers = [], body = null, follow = true } = options;
    if (body !== null && body.size > most.bytes) return { ok: false, problem: tooMuchSent(most.bytes / 1_000_000) };
    const origin: readonly (readonly [string, string])[] = /^(?:GET|HEAD)$/.test(method)
      ? []
      : [["origin", `http://localhost:${site.port}`]];
    const request = { method, path: `/${path}`, headers: [...headers.filter(([name]) => !/^origin$/i.test(name)), ...origin], follow };
    if (underWay >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
    else underWay += 1;
    try {
      const got = await ask(site, request, body === null ? null : new Uint8Array(await body.arrayBuffer()));
      if (!got.ok) return { ok: false, problem: got.message };
      const { body: bytes, ...answer } = got.value;
      return { ok: true, answer, blob: new Blob([bytes], { type: headerOf(answer, "content-type") }) };
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  }

  const file = (site: Site, path: string): Promise<Got> => known.get(path, () => get(site, path, "GET"));

  /** null: the server has no such thing. */
  async function blobOf(site: Site, path: string): Promise<Blob | null> {
    const got = await file(site, path);
    if (!got.ok) throw new Error(got.problem);
    return got.answer.status >= 400 ? null : got.blob;
  }

  async function page(site: Site, path: string): Promise<object> {
    const sent = form;
    form = null;
    const accept = ["accept", "text/html,application/xhtml+xml,*/*;q=0.8"] as const;
    const got = await (sent === null
      ? get(site, path, "GET", { headers: [accept] })
      : get(site, path, "POST", { headers: [accept, ["content-type", sent.type]], body: sent.blob }));
    if (!got.ok) return { problem: got.problem };
    const { pathname, search, port } = new URL(got.answer.url);
    // Its references would belong to another server.
    if (Number(port || 80) !== site.port) return { problem: leadsElsewhere(got.answer.url) };
    const at = { path: pathname.slice(1), search };
    const said = got.blob.type;
    if (/^(?:image|audio|video)\//.test(said)) return { mime: said, at };
    const text = await got.blob.text();
    return { mime: said || (/^\s*<[!a-z]/i.test(text) ? "text/html" : "text/plain"), at, text };
  }

  async function ofScript(site: Site, question: Record<string, unknown>, path: string): Promise<object> {
    const { headers, body } = question;
    const given = Array.isArray(headers) ? headers.filter(isHeader).slice(0, most.headers) : [];
    const got = await get(site, path, field(question, "method") || "GET", {
      headers: given,
      body: body instanceof Blob ? body : null,
      follow: question["follow"] !== false,
    });
    if (!got.ok) return { problem: got.problem };
    const { status, statusText, headers: all, url } = got.answer;
    return { status, statusText, headers: all.filter(([name]) => name !== "set-cookie"), url, blob: got.blob };
  }

  function lookUp(site: Site, specifier: string, from: string, type = ""): { readonly to?: string; readonly problem?: string } {
    if (/^(?:data|blob):/.test(specifier)) return {};
    const isAddress = /^\.{0,2}\//.test(specifier) || /^[a-z][a-z+.-]*:/i.test(specifier);
    if (!isAddress) return { problem: notNamed(specifier) };
    const root = `http://localhost:${site.port}/`;
    if (!URL.canParse(specifier, root + from)) return { problem: notNamed(specifier) };
    const { origin, pathname, search } = new URL(specifier, root + from);
    if (`${origin}/` !== root && origin !== new URL(root).origin) return { problem: noNetworkServed(specifier) };
    return { to: pathname.slice(1) + search + (type === "css" ? "#sheet" : type === "text" ? "#raw" : "") };
  }

  async function script(site: Site, path: string, text: string, as: "module" | "classic"): Promise<FilledScript> {
    const built = await build({ path, text, as, jsx: noJsx, served: true });
    const fill = (part: Part): FilledPart =>
      typeof part === "string" || "here" in part
        ? part
        : { specifier: part.specifier, line: part.line, late: part.late === true, ...lookUp(site, part.specifier, path, part.type) };
    return { ...(built.problem === undefined ? {} : { problem: built.problem }), parts: built.parts.map(fill) };
  }

  async function found(question: Record<string, unknown>, site: Site): Promise<object | null> {
    const path = field(question, "path");
    switch (question["as"]) {
      case "document":
        return page(site, path);
      case "request":
        return ofScript(site, question, path);
      case "file": {
        const blob = await blobOf(site, path);
        return blob && { blob };
      }
      case "text": {
        const blob = await blobOf(site, path);
        return blob && { text: await blob.text() };
      }
      case "classic": {
        const text =
          typeof question["text"] === "string" ? field(question, "text", longestScript) : await (await blobOf(site, path))?.text();
        return text === undefined ? null : script(site, path, text, "classic");
      }
      case "inline":
        return script(site, path, field(question, "text", longestScript), "module");
      case "module": {
        const address = path.replace(/#[^]*$/, "");
        const text = await (await blobOf(site, address))?.text();
        return text === undefined ? null : script(site, address, text, "module");
      }
      case "find":
        return lookUp(site, field(question, "specifier"), path, field(question, "attribute"));
      default:
        return { problem: strangeQuestion };
    }
  }

  return {
    /** Starts a page: it requests everything again, and sends `sent` with its document. */
    begin(sent: Form | null) {
      known.clear();
      form = sent;
    },
    found,
  };
}

interface Asked {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob | null;
  readonly follow: boolean;
}
