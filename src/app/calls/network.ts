import type { DialogView, NetworkAsk, PutDialogBody } from "../../protocol/index.ts";
import type { HostWord } from "../../dialog/ids.ts";
import { fileSize, number } from "../ui/format.ts";
import * as d from "../texts/decisions.ts";
import * as t from "../texts/hosts.ts";
import * as l from "../texts/leave.ts";
import { visible } from "./visible.ts";

/** The body that sets what the dialog's commands may do at a host from now on. `question`: the question that it answers. */
export const networkBody = (dialogId: string, host: string, word: HostWord, question?: string): PutDialogBody => ({
  dialogId,
  network: [{ host, allow: word === "refused" ? false : word, ...(question === undefined ? {} : { question }) }],
});

export interface HostChoice {
  readonly word: HostWord;
  readonly text: string;
}

/** The answers to a question. The first one lets the request go out. */
export function choicesOf({ needs, now }: Pick<NetworkAsk, "needs" | "now">): readonly HostChoice[] {
  const wide = { word: needs, text: { "GET only": d.allowGet, "any method": d.allowAll, "any method and uploads": d.allowUploads }[needs] };
  if (now === "GET only") return [wide, { word: "GET only, no more", text: d.keepGet }];
  if (now === "any method") return [wide, { word: "any method, no uploads", text: d.noUploads }];
  const other: HostChoice = needs === "GET only" ? { word: "any method", text: d.allowAll } : { word: "GET only", text: d.allowGet };
  return [wide, other, { word: "refused", text: d.refuseHost }];
}

/** What a request sends and what identifies the sender, one line each. */
export function requestLines({
  body,
  address,
  carries,
  credentials,
  files,
}: NetworkAsk): readonly (readonly [what: string, text: string])[] {
  return [
    ...(body === null ? [] : [[d.requestBody, bodyWords(body)] as const]),
    ...(files.length === 0 ? [] : [[d.requestFiles, files.map(visible).join(", ")] as const]),
    ...(carries.includes("address") ? [[d.requestAddress, d.addressLength(number(address))] as const] : []),
    ...(credentials.length === 0 ? [] : [[d.requestCredentials, credentials.map(visible).join(", ")] as const]),
  ];
}

function bodyWords({ bytes, type }: NonNullable<NetworkAsk["body"]>): string {
  const plain = type?.split(";")[0]?.trim().toLowerCase() ?? null;
  if (plain === null || plain === "") return fileSize(bytes);
  const known: Readonly<Record<string, string>> = {
    "application/json": d.bodyJson,
    "application/x-www-form-urlencoded": d.bodyForm,
    "multipart/form-data": d.bodyForm,
    "text/plain": d.bodyText,
  };
  return d.bodyOfType(fileSize(bytes), known[plain] ?? visible(plain));
}

const hostTexts = [
  ["refused", l.refused],
  ["GET only", l.getOnly],
  ["GET only, no more", l.getOnlyNoMore],
  ["any method", l.anyMethod],
  ["any method, no uploads", l.anyMethodNoUploads],
  ["any method and uploads", l.uploads],
] as const satisfies readonly (readonly [HostWord, string])[];

export const hostWord = (word: HostWord): string => hostTexts.find(([one]) => one === word)?.[1] ?? word;

export const allHostWords: readonly HostWord[] = hostTexts.map(([word]) => word);

/** The host and the rule of a `> Network:` line, in words. Null if the value names only a host or isn't valid. */
export function hostLineWords(value: string): { readonly host: string; readonly word: string } | null {
  const found = hostTexts.find(([word]) => word !== "refused" && value.endsWith(` ${word}`));
  return found ? { host: value.slice(0, -found[0].length - 1), word: found[1] } : null;
}

/** Identifies a request. */
export const askKey = (callId: string, { question }: Pick<NetworkAsk, "question">) => JSON.stringify([callId, question]);

/** The maximum number of hosts that a line names. If there are more, it says how many. */
const named = 2;

/** "Commands can connect to a and b, but not to c." Null if nothing was allowed or refused. */
export function hostWords({ allowed, refused }: Pick<DialogView["network"], "allowed" | "refused">): string | null {
  if (allowed.length === 0) return refused.length === 0 ? null : t.mayNotReach(list(refused));
  return refused.length === 0 ? t.mayReach(list(allowed)) : t.mayReachNot(list(allowed), list(refused));
}

const list = (hosts: readonly string[]): t.HostList => ({
  named: hosts.slice(0, named).map(visible),
  more: Math.max(0, hosts.length - named),
});
