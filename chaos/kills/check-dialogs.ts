import type { Call, Dialog } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import type { Ledger, Promised } from "./ledger.ts";

/** What the page finds of the dialogs after a restart. */
export interface FoundDialogs {
  /** The names of `GET /files`. */
  readonly files: readonly string[];
  readonly listing: readonly { readonly dialogId: string; readonly filename: string; readonly status: string }[];
  /** By id: the dialog's file, and the lines that its commands appended. */
  readonly dialogs: Readonly<Record<string, { readonly markdown: string; readonly log: readonly string[] }>>;
}

export const callsOf = (dialog: Dialog): Call[] =>
  dialog.sections.flatMap((section) => section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));

const textOf = (dialog: Dialog, role: "user" | "assistant"): string[] =>
  dialog.sections
    .filter((section) => section.role === role)
    .map((section) => section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n"));

/** Checks that each dialog has exactly one file with everything that was acknowledged, and that nothing happened twice. */
export function checkDialogs(ledger: Ledger, found: FoundDialogs): string[] {
  const broken: string[] = [];
  const names = found.files.filter((name) => name.startsWith("dialog-"));
  const listed = found.listing.map(({ filename }) => filename);
  if (JSON.stringify(names.toSorted()) !== JSON.stringify(listed.toSorted()))
    broken.push(`the files are ${names.join(", ")} and the list has ${listed.join(", ")}`);
  const ids = found.listing.map(({ dialogId }) => dialogId);
  for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at))) broken.push(`${id} has more than one file`);
  for (const { dialogId, status } of found.listing)
    if (status !== "waiting" && status !== "done") broken.push(`${dialogId} is ${status} after the restart`);

  for (const [id, promised] of ledger.dialogs) {
    const entry = found.listing.find(({ dialogId }) => dialogId === id);
    const file = found.dialogs[id];
    if (promised.removed) {
      if (entry) broken.push(`${id} is there again; its removal was acknowledged`);
    } else if (!entry || !file) {
      if (!ledger.leaving.has(id)) broken.push(`${id} (${promised.tag}) is lost`);
    } else {
      if (promised.status !== null && entry.status !== promised.status)
        broken.push(`${id} is ${entry.status}; ${promised.status} was acknowledged`);
      broken.push(...checkOne(promised, file).map((what) => `${id} (${promised.tag}): ${what}`));
    }
  }
  return broken;
}

function checkOne(promised: Promised, { markdown, log }: { readonly markdown: string; readonly log: readonly string[] }): string[] {
  const broken: string[] = [];
  const dialog = parseDialog(markdown);
  if (dialog.format !== 1) return [`its file is torn: ${JSON.stringify(markdown.slice(0, 200))}`];
  const prompts = textOf(dialog, "user");
  const words = textOf(dialog, "assistant");
  const calls = callsOf(dialog);
  const byId = new Map(calls.map((call) => [call.id, call]));

  // One more prompt may have been stored without an acknowledgement.
  if (JSON.stringify(prompts.slice(0, promised.prompts.length)) !== JSON.stringify(promised.prompts))
    broken.push(`its prompts are ${JSON.stringify(prompts)}; acknowledged were ${JSON.stringify(promised.prompts)}`);
  if (prompts.length > promised.prompts.length + 1) broken.push(`it has ${prompts.length} prompts, ${promised.prompts.length} were sent`);
  if (byId.size !== calls.length) broken.push("a call is in it twice");
  for (const id of promised.asked) if (!byId.has(id)) broken.push(`the call ${id} was shown, and is lost`);
  for (const [id, approved] of promised.decided) {
    const decision = byId.get(id)?.decision;
    if (decision !== (approved ? "approved" : "denied"))
      broken.push(`${id} was ${approved ? "approved" : "denied"}, and reads ${decision}`);
  }
  const all = words.join("\n\n");
  for (const content of promised.contents)
    for (const part of content.split("\n\n"))
      if (!all.includes(part)) broken.push(`text of a turn that had ended is lost: ${part.slice(0, 60)}…`);
  for (const text of words) broken.push(...gapsOf(text));

  for (const call of calls) {
    const result = JSON.stringify(call.result ?? null);
    const succeeded = result.includes('"success":true');
    const runs = log.filter((line) => line === call.id).length;
    if (promised.succeeded.has(call.id) && !succeeded) broken.push(`the result of ${call.id} was shown, and reads ${result.slice(0, 100)}`);
    if (runs > 1) broken.push(`${call.id} ran ${runs} times`);
    if (runs > 0 && call.decision !== "approved") broken.push(`${call.id} ran, and nobody approved it`);
    if (runs > 0 && call.started === null) broken.push(`${call.id} ran and is not claimed`);
    if (succeeded && runs !== 1) broken.push(`${call.id} succeeded and ran ${runs} times`);
  }
  for (const line of log) if (!byId.has(line)) broken.push(`${line} ran, and no file has such a call`);
  return broken;
}

/** The stand-in's words are numbered. A partial text must start at the beginning and have no gap. */
function gapsOf(text: string): string[] {
  const numbers = [...text.matchAll(/\bn(\d+)\./g)].map(([, number]) => Number(number));
  let expected = 0;
  for (const number of numbers) {
    if (number !== expected && number !== 0) return [`n${number} stands where n${expected} belongs`];
    expected = number + 1;
  }
  return [];
}
