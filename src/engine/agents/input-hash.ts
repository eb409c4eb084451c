import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { clean } from "../../dialog/clean.ts";

/** What an agent of a run is asked, as 16 hexadecimal digits by which the same task is known again, whatever blanks and unseen characters it has. */
export const inputHash = (task: string): string => bytesToHex(sha256(utf8ToBytes(plain(task)))).slice(0, 16);

const plain = (task: string): string =>
  clean(task)
    .normalize("NFC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
