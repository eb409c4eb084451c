import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { clean } from "../../dialog/clean.ts";

/** A hash of a run agent's task, as 16 hexadecimal digits. The same task has the same hash, whatever its whitespace and invisible characters. */
export const inputHash = (task: string): string => bytesToHex(sha256(utf8ToBytes(plain(task)))).slice(0, 16);

const plain = (task: string): string =>
  clean(task)
    .normalize("NFC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
