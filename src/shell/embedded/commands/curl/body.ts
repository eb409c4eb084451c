import { fromBytes, toBytes } from "../../encoding.ts";
import type { Context } from "../answer.ts";
import { readInput } from "../files.ts";
import type { CurlOptions, Wrong } from "./options.ts";

/** What a request sends, according to the options. */
export interface Payload {
  readonly body: Uint8Array | null;
  /** The content type to use if the options give none. */
  readonly type: string | null;
  readonly accept: string | null;
  /** The query that -G adds to the URL. */
  readonly query: string;
}

const dataOptions = ["data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json"];

/** @param id random letters for the boundary of a form's parts. */
export async function payloadOf(options: CurlOptions, context: Context, id: () => string): Promise<Payload | Wrong> {
  const data = options.given.filter(({ name }) => dataOptions.includes(name));
  const form = options.given.filter(({ name }) => name === "form" || name === "form-string");
  if (data.length > 0 && form.length > 0) return { exitCode: 2, message: "You can only select one HTTP request method!" };
  if (form.length > 0) return formPayload(form, context, id());
  if (data.length === 0) return { body: null, type: null, accept: null, query: "" };
  let text = "";
  for (const { name, value } of data) {
    const part = await dataPart(name, value, context);
    if (typeof part !== "string") return part;
    // JSON parts are concatenated unchanged.
    text += (text === "" || name === "json" ? "" : "&") + part;
  }
  if (options.has("get")) return { body: null, type: null, accept: null, query: text };
  const json = options.has("json");
  return {
    body: toBytes(text, "latin1"),
    type: json ? "application/json" : "application/x-www-form-urlencoded",
    accept: json ? "application/json" : null,
    query: "",
  };
}

/** One character per byte. */
async function dataPart(name: string, value: string, context: Context): Promise<string | Wrong> {
  if (name === "data-raw") return latin1(value);
  if (name === "data-urlencode") {
    const found = /^([^=@]*)([=@])([^]*)$/.exec(value);
    const [, key = "", sign = "=", rest = value] = found ?? [];
    let text = latin1(rest);
    if (found && sign === "@") {
      const read = await fileText(rest, context);
      if (typeof read !== "string") return read;
      text = read;
    }
    return (key === "" ? "" : `${latin1(key)}=`) + escaped(text);
  }
  if (!value.startsWith("@")) return latin1(value);
  const read = await fileText(value.slice(1), context);
  if (typeof read !== "string" || name === "data-binary" || name === "json") return read;
  return read.replaceAll(/[\r\n\0]/g, "");
}

async function fileText(path: string, context: Context): Promise<string | Wrong> {
  const read = await readInput(context, path);
  return read.ok ? fromBytes(read.bytes, "latin1") : cannotRead(path);
}

function cannotRead(path: string): Wrong {
  return { exitCode: 26, message: `(26) Failed to open/read local data from file/application: ${path}` };
}

async function formPayload(parts: CurlOptions["given"], context: Context, id: string): Promise<Payload | Wrong> {
  const border = `------------------------${id}`;
  let text = "";
  for (const { name, value } of parts) {
    const found = /^([^=]*)=([^]*)$/.exec(value);
    if (!found) return { exitCode: 2, message: `option --${name}: Illegally formatted input field!` };
    const [, field = "", typed = ""] = found;
    const plain = name === "form-string";
    const [content = "", ...extras] = plain ? [typed] : splitField(typed);
    let type: string | null = null;
    let file: string | null = null;
    for (const extra of extras) {
      const [, key = "", given = ""] = /^\s*(\w+)=([^]*)$/.exec(extra) ?? [];
      if (key === "type") type = given;
      else if (key === "filename") file = unquoted(given);
      else return { exitCode: 2, message: `option --form: '${extra.trim()}' is not there; type= and filename= are` };
    }
    let bytes = latin1(content);
    const source = plain ? null : /^([@<])([^]*)$/.exec(content);
    if (source) {
      const path = unquoted(source[2] ?? "");
      const read = await fileText(path, context);
      if (typeof read !== "string") return read;
      bytes = read;
      if (source[1] === "@") {
        file ??= path === "-" ? "-" : path.slice(path.lastIndexOf("/") + 1);
        type ??= typeOf(path);
      }
    } else if (/^".*"$/.test(content) && !plain) bytes = latin1(unquoted(content));
    const name8 = latin1(field).replaceAll('"', "%22");
    text += `--${border}\r\nContent-Disposition: form-data; name="${name8}"`;
    if (file !== null) text += `; filename="${latin1(file).replaceAll('"', "%22")}"`;
    text += `\r\n${type === null ? "" : `Content-Type: ${latin1(type)}\r\n`}\r\n${bytes}\r\n`;
  }
  text += `--${border}--\r\n`;
  return { body: toBytes(text, "latin1"), type: `multipart/form-data; boundary=${border}`, accept: null, query: "" };
}

/** Splits at each ";" outside of quotes. */
function splitField(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"|[^;"]|"(?![^]*"))+/g) ?? [""];
}

function unquoted(text: string): string {
  return /^"([^]*)"$/.exec(text)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? text;
}

/** The content types that curl derives from file names. */
function typeOf(path: string): string {
  const types: Readonly<Record<string, string>> = {
    gif: "image/gif",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    png: "image/png",
    svg: "image/svg+xml",
    txt: "text/plain",
    htm: "text/html",
    html: "text/html",
    pdf: "application/pdf",
    xml: "application/xml",
  };
  return types[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/** Escapes like curl: every byte that is not a letter, a digit or one of `._~-`; a blank becomes "+". */
function escaped(latin: string): string {
  return latin.replaceAll(/[^A-Za-z0-9._~-]/g, (letter) =>
    letter === " " ? "+" : `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function latin1(text: string): string {
  return fromBytes(toBytes(text, undefined), "latin1");
}
