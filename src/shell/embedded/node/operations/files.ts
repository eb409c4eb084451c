import type { SyncFiles } from "../../sync-files.ts";
import { copyOf, number, type Operations, text } from "../plain.ts";

/** File operations. Paths are absolute; failures are a `SystemError` with Node's code. */
export function fileOperations(files: SyncFiles): Operations {
  return {
    "fs.stat": (path) => {
      const stat = files.stat(text(path));
      return stat === null ? null : JSON.stringify(stat);
    },
    "fs.read": (path) => files.read(text(path)),
    /** Up to `length` bytes from that position. */
    "fs.readPart": (path, from, length) => new Uint8Array(files.read(text(path)).subarray(number(from), number(from) + number(length))),
    "fs.readText": (path) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(files.read(text(path))),
    "fs.write": (path, content) => files.write(text(path), contentOf(content)),
    "fs.append": (path, content) => files.append(text(path), contentOf(content)),
    "fs.list": (path) => JSON.stringify(files.list(text(path))),
    "fs.makeFolder": (path, recursive) => files.makeFolder(text(path), recursive === true),
    "fs.unlink": (path) => files.unlink(text(path)),
    "fs.removeFolder": (path, recursive) => files.removeFolder(text(path), recursive === true),
    "fs.rename": (from, to) => files.rename(text(from), text(to)),
    "fs.setMode": (path, mode) => files.setMode(text(path), number(mode)),
    "fs.setTime": (path, time) => files.setTime(text(path), number(time)),
  };
}

function contentOf(content: Parameters<Operations[string]>[0] | undefined): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : copyOf(content);
}
