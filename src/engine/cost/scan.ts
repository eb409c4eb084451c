import { readForkedFrom } from "../dialogs/fork-point.ts";
import { readMetaLine } from "../../dialog/meta.ts";
import { RECORD_FORMAT } from "../../dialog/outside.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import { parseCost, parsePrice } from "./lines.ts";

/** One response of a dialog as its file tells it. */
export interface Paid {
  /** When it ended, or began where it has no end; milliseconds since 1970. null: the file says no time. */
  readonly time: number | null;
  readonly provider: string;
  readonly model: string;
  /** Nanodollars; null: no one knows. */
  readonly nanos: number | null;
  readonly input: number;
  readonly output: number;
  /** The day of the list of prices that came with Vibey; left out where the cost was not computed by one. */
  readonly list?: string;
}

/**
 * Headings and metadata lines that tell what a response was and cost. Such a line at the beginning of a line is structure wherever it
 * stands: text that reads so is escaped, and the JSON of a call is indented. LF alone ends a line.
 */
const LINE = /\n(?:## (User|Assistant)|> (?:Time|Provider|Model|Usage|Used|Cost|Price|Stop|Forked from): [^\n]*)(?=\n)/g;

/** The provider that is scripted and costs nothing. */
const scripted = "demo";

/**
 * The responses of a dialog's file that were asked for in it; of a record, those of which it says what they took: what a fork took along was paid for in the dialog that it comes from. Left
 * out are those that cost nothing: of the scripted provider, failed before anything was reported, or not asked for because of a limit.
 * The file is not parsed: its size alone says how long this takes, and most of it is passed over.
 */
export function paidResponses(file: string): Paid[] {
  const format = /^# Dialog\n> Format: ([12]|1001)\n/.exec(file)?.[1];
  if (format === undefined) return [];
  // What an agent outside reports was paid for there.
  const isRecord = format === String(RECORD_FORMAT);
  const paid: Paid[] = [];
  const standing = { provider: "", model: "" };
  let copied = 0;
  let sections = 0;
  let open: Open | null = null;

  function close(): void {
    // A fork takes no cost along: one that says its own was paid in this dialog, whatever the header says.
    const isPaid = open && (!isRecord || open.usage !== undefined || open.used !== undefined || open.cost !== undefined);
    const response = open && isPaid === true && (sections > copied || open.cost !== undefined) ? readPaid(open, standing) : null;
    if (response) paid.push(response);
    open = null;
  }

  for (const { index, 0: all, 1: role } of file.matchAll(LINE)) {
    if (role !== undefined) {
      close();
      sections++;
      open = role === "Assistant" ? {} : null;
      continue;
    }
    for (const { key, value } of readMetaLine(file, index + 1, index + all.length) ?? []) {
      if (key === "Provider") standing.provider = value;
      else if (key === "Model") standing.model = value;
      else if (key === "Forked from" && sections === 0) copied = copiedBy(value) ?? copied;
      else if (open) takeLine(open, key, value);
    }
  }
  close();
  return paid;
}

interface Open {
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
  { time = "", usage: counted = "", cost: said = "", price = "", stop }: Open,
  { provider, model }: { provider: string; model: string },
): Paid | null {
  const usage = parseUsage(counted);
  const cost = parseCost(said);
  const [start = "", end = ""] = time.split(" - ");
  if (cost === null && usage === null) {
    const isOpen = time.endsWith(" - ");
    if (isOpen || provider === scripted || stop?.startsWith("error ") || stop?.startsWith("limit ")) return null;
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
