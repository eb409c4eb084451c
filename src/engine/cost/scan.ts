import { readForkedFrom } from "../dialogs/fork-point.ts";
import { readMetaLine } from "../../dialog/meta.ts";
import { RECORD_FORMAT } from "../../dialog/outside.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import { parseCost, parsePrice } from "./lines.ts";

/** One response of a dialog, according to its file. */
export interface Paid {
  /** When it ended, or when it began if it has no end, in milliseconds since 1970. Null if the file has no time. */
  readonly time: number | null;
  readonly provider: string;
  readonly model: string;
  /** In nanodollars. Null if unknown. */
  readonly nanos: number | null;
  readonly input: number;
  readonly output: number;
  /** The date of Vibey's price list. Left out if the cost wasn't computed from that list. */
  readonly list?: string;
}

/**
 * The headings and metadata lines that say what a response was and cost. At the start of a line they are always structure: text that looks like
 * them is escaped, and the JSON of a call is indented. Only LF ends a line.
 */
const LINE = /\n(?:## (User|Assistant)|> (?:Time|Queued|Provider|Model|Usage|Used|Cost|Price|Stop|Forked from): [^\n]*)(?=\n)/g;

/** The scripted provider, which costs nothing. */
const scripted = "demo";

/**
 * The responses in a dialog's file that were paid for in this dialog. The copied responses of a fork were paid for in the original dialog. Of a
 * record, only responses with reported usage or cost count. Responses without cost are left out: those of the scripted provider, failed ones
 * without reported usage, ones that a limit prevented, and ones that ended in the queue, before the provider was asked. The file is not parsed,
 * so the time depends only on its size, and most of it is skipped.
 */
export function paidResponses(file: string): Paid[] {
  const format = /^# Dialog\n> Format: ([12]|1001)\n/.exec(file)?.[1];
  if (format === undefined) return [];
  // An agent outside Vibey pays for its own responses.
  const isRecord = format === String(RECORD_FORMAT);
  const paid: Paid[] = [];
  const standing = { provider: "", model: "" };
  let copied = 0;
  let sections = 0;
  let open: Open | null = null;

  function close(): void {
    // A fork copies no cost lines. So a response with its own cost was paid in this dialog, whatever the header says.
    const isPaid = open && (!isRecord || open.usage !== undefined || open.used !== undefined || open.cost !== undefined);
    const response = open && isPaid === true && (sections > copied || open.cost !== undefined) ? readPaid(open, standing) : null;
    if (response) paid.push(response);
    open = null;
  }

  for (const { index, 0: all, 1: role } of file.matchAll(LINE)) {
    if (role !== undefined) {
      close();
      sections++;
      open = role === "Assistant" ? { heading: index } : null;
      continue;
    }
    for (const { key, value } of readMetaLine(file, index + 1, index + all.length) ?? []) {
      if (key === "Provider") standing.provider = value;
      else if (key === "Model") standing.model = value;
      else if (key === "Forked from" && sections === 0) copied = copiedBy(value) ?? copied;
      // Below the head, the line is about a call.
      else if (open && key === "Queued") open.queued ||= !file.slice(open.heading, index + 1).includes("\n\n");
      else if (open) takeLine(open, key, value);
    }
  }
  close();
  return paid;
}

interface Open {
  /** Where its heading begins. */
  readonly heading: number;
  queued?: boolean;
  time?: string;
  usage?: string;
  used?: string;
  cost?: string;
  price?: string;
  stop?: string;
}

function takeLine(open: Open, key: string, value: string): void {
  if (key === "Time") open.time ??= value;
  else if (key === "Usage") open.usage = value;
  else if (key === "Used") open.used = value;
  else if (key === "Cost") open.cost = value;
  else if (key === "Price") open.price = value;
  else if (key === "Stop") open.stop = value;
}

function copiedBy(value: string): number | null {
  const from = readForkedFrom(value);
  return from && (from.edited ? from.message - 1 : from.message);
}

function readPaid(
  { time = "", usage: counted = "", cost: said = "", price = "", stop, queued }: Open,
  { provider, model }: { provider: string; model: string },
): Paid | null {
  const usage = parseUsage(counted);
  const cost = parseCost(said);
  const [start = "", end = ""] = time.split(" - ");
  if (cost === null && usage === null) {
    const isOpen = time.endsWith(" - ");
    if (isOpen || queued === true || provider === scripted || stop?.startsWith("error ") || stop?.startsWith("limit ")) return null;
  }
  const at = Date.parse(end.trim() || start);
  const used = cost === null ? null : parsePrice(price);
  return {
    time: Number.isNaN(at) ? null : at,
    provider,
    model,
    nanos: cost?.nanos ?? null,
    input: usage?.input ?? 0,
    output: usage?.output ?? 0,
    ...(used?.source.by === "list" ? { list: used.source.date } : {}),
  };
}
