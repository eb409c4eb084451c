// Forms, written and parsed as multipart/form-data.
import { Blob, Buffer, File } from "./buffer.js";

const entryOf = (name, value, fileName) => [
  String(name),
  value instanceof Blob
    ? value instanceof File && fileName === undefined
      ? value
      : new File([value], fileName === undefined ? "blob" : String(fileName), { type: value.type })
    : String(value),
];

export class FormData {
  #list = [];
  append(name, value, fileName) {
    this.#list.push(entryOf(name, value, fileName));
  }
  set(name, value, fileName) {
    const made = entryOf(name, value, fileName);
    const at = this.#list.findIndex(([key]) => key === made[0]);
    if (at < 0) this.#list.push(made);
    else this.#list = this.#list.flatMap((one, i) => (i === at ? [made] : one[0] === made[0] ? [] : [one]));
  }
  delete(name) {
    this.#list = this.#list.filter(([key]) => key !== String(name));
  }
  get(name) {
    return this.#list.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name) {
    return this.#list.some(([key]) => key === String(name));
  }
  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  entries() {
    return this.#list.values();
  }
  *keys() {
    for (const [name] of this.#list) yield name;
  }
  *values() {
    for (const [, value] of this.#list) yield value;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  get [Symbol.toStringTag]() {
    return "FormData";
  }
}

const boundaries = new WeakMap();

/** Always the same boundary for a form: a copied request keeps the type of the original. */
export function boundaryOf(form) {
  if (!boundaries.has(form)) boundaries.set(form, `----formdata-${Math.random().toString(36).slice(2)}`);
  return boundaries.get(form);
}

const escaped = (name) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
const plain = (name) => name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");

export async function multipart(form) {
  const boundary = boundaryOf(form);
  const parts = [];
  for (const [name, value] of form) {
    const isFile = value instanceof Blob;
    const file = isFile ? `; filename="${escaped(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}` : "";
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n\r\n`));
    parts.push(isFile ? Buffer.from(await value.arrayBuffer()) : Buffer.from(value), Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

const unreadable = () => new TypeError("Failed to parse body as FormData.");

export function readMultipart(type, bytes) {
  const given = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type);
  const boundary = given?.[1] ?? given?.[2] ?? "";
  if (boundary === "") throw unreadable();
  const form = new FormData();
  const mark = Buffer.from(`\r\n--${boundary}`);
  // The first boundary begins the body; the others follow a line end.
  const all = Buffer.concat([Buffer.from("\r\n"), bytes]);
  let at = all.indexOf(mark);
  for (;;) {
    if (at < 0) throw unreadable();
    const start = at + mark.length;
    if (all.subarray(start, start + 2).toString() === "--") return form;
    const head = all.indexOf("\r\n\r\n", start);
    at = head < 0 ? -1 : all.indexOf(mark, head + 2);
    if (at < 0) throw unreadable();
    const lines = all.subarray(start, head).toString();
    const body = all.subarray(head + 4, Math.max(at, head + 4));
    const name = /^content-disposition:\s*form-data;.*?\bname="([^"]*)"/im.exec(lines);
    if (name === null) throw unreadable();
    const file = /^content-disposition:.*;\s*filename="([^"]*)"/im.exec(lines);
    const kind = /^content-type:\s*(.*?)\s*$/im.exec(lines)?.[1] ?? "text/plain";
    form.append(plain(name[1]), file === null ? body.toString() : new File([body], plain(file[1]), { type: kind }));
  }
}
