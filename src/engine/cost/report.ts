import type { CostReport, CostSum } from "../../protocol/index.ts";
import type { DialogPaid } from "./ledger.ts";
import { addNanos } from "./money.ts";
import type { Paid } from "./scan.ts";

/** The local date of a time: `2026-11-22`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** When the first of this many days begins, in milliseconds since 1970. Today is the last day. */
export function firstOf(days: number, now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime();
}

/** The cost of the responses since `since`, by day, model and dialog. A response without a time counts only if `since` is null, and for no day. */
export function costReport(dialogs: readonly DialogPaid[], since: number | null, now: Date): CostReport {
  const total = sum();
  const lists: string[] = [];
  const days = new Map<string, Sum>();
  const models = new Map<string, Sum & { provider: string; model: string }>();
  const byDialog: (Sum & { dialogId: string })[] = [];
  for (const { dialogId, responses } of dialogs) {
    const own = { dialogId, ...sum() };
    for (const paid of responses) {
      if (since !== null && (paid.time === null || paid.time < since)) continue;
      const { provider, model, time, list } = paid;
      if (list !== undefined) lists.push(list);
      for (const each of [total, own]) add(each, paid);
      add(within(models, JSON.stringify([provider, model]), { provider, model }), paid);
      if (time !== null) add(within(days, dayOf(time), {}), paid);
    }
    if (own.responses > 0) byDialog.push(own);
  }
  const inOrder = Array.from(days, ([day, each]) => ({ day, ...each })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const today = dayOf(now.getTime());
  const [from] = lists.toSorted();
  const to = lists.toSorted().at(-1);
  return {
    total,
    byList: from === undefined || to === undefined ? null : { responses: lists.length, from, to },
    from: since === null ? (inOrder[0]?.day ?? null) : dayOf(since),
    to: since === null && inOrder.length === 0 ? null : latest(today, inOrder.at(-1)?.day),
    days: inOrder,
    models: [...models.values()].toSorted(dearest),
    dialogs: byDialog.toSorted(dearest),
    damaged: dialogs.filter(({ damaged }) => damaged).length,
  };
}

type Sum = { -readonly [Key in keyof CostSum]: CostSum[Key] };

function sum(): Sum {
  return { nanos: 0, responses: 0, unpriced: 0, input: 0, output: 0 };
}

function add(to: Sum, { nanos, input, output }: Paid): void {
  to.responses += 1;
  if (nanos === null) to.unpriced += 1;
  else to.nanos = addNanos(to.nanos, nanos);
  to.input += input;
  to.output += output;
}

function within<Named>(all: Map<string, Sum & Named>, key: string, named: Named): Sum {
  const known = all.get(key);
  if (known) return known;
  const made = { ...sum(), ...named };
  all.set(key, made);
  return made;
}

function dearest(a: CostSum, b: CostSum): number {
  return b.nanos - a.nanos || b.input + b.output - (a.input + a.output);
}

/** The later day, because a file can contain future dates. */
function latest(one: string, other = one): string {
  return one > other ? one : other;
}
