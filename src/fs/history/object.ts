import { joinBytes, toHex } from "../bytes.ts";
import { StorageError } from "../storage-error.ts";
import { deflate, inflate } from "./zlib.ts";

/** The name of an object: 40 hexadecimal digits, the SHA-1 of its header and its bytes. */
export type Oid = string;

const types = ["blob", "tree", "commit"] as const;
export type ObjectType = (typeof types)[number];

/** An object as git keeps it in its own file: header and bytes, compressed. */
export interface StoredObject {
  readonly oid: Oid;
  readonly stored: Uint8Array;
}

/** An object that has its name but is not compressed yet. Compression is the expensive part, and the object may be stored already. */
export interface NamedObject {
  readonly oid: Oid;
  readonly plain: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export async function nameObject(type: ObjectType, bytes: Uint8Array): Promise<NamedObject> {
  const plain = joinBytes([encoder.encode(`${type} ${bytes.length}\0`), bytes]);
  return { oid: toHex(new Uint8Array(await crypto.subtle.digest("SHA-1", plain))), plain };
}

export async function packObject({ oid, plain }: NamedObject): Promise<StoredObject> {
  return { oid, stored: await deflate(plain) };
}

/** The bytes of an object of this type. Rejects with a `StorageError` of kind `damaged` if it is not one. */
export async function unpackObject(object: StoredObject, type: ObjectType): Promise<Uint8Array> {
  const found = await splitObject(object);
  if (found.type !== type) throw new StorageError("damaged", `object ${object.oid} is no ${type} but a ${found.type}`);
  return found.bytes;
}

/** The type of an object, and its bytes. Rejects with a `StorageError` of kind `damaged` if it is not an object. */
export async function splitObject({ oid, stored }: StoredObject): Promise<{ readonly type: ObjectType; readonly bytes: Uint8Array }> {
  const plain = await inflate(stored).catch((error: unknown) => {
    throw new StorageError("damaged", `object ${oid} can't be decompressed`, { cause: error });
  });
  const end = plain.indexOf(0);
  const header = decoder.decode(plain.subarray(0, Math.max(0, end)));
  const bytes = plain.subarray(end + 1);
  const type = types.find((each) => header === `${each} ${bytes.length}`);
  if (type === undefined) throw new StorageError("damaged", `object ${oid} is no object of ${bytes.length} bytes`);
  return { type, bytes };
}
