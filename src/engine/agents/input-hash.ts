import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { clean } from "../../dialog/clean.ts";

/** What an agent of a run is asked, as 16 hexadecimal digits by which the same task is known again. */
export const inputHash = (task: string): string => bytesToHex(sha256(utf8ToBytes(clean(task)))).slice(0, 16);
