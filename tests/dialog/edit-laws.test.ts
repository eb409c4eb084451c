import * as fc from "fast-check";
import { expect, test } from "vitest";
import { authorized } from "../../src/dialog/authority.ts";
import {
  addCall,
  addMeta,
  addText,
  appendText,
  closeHead,
  closeIncompleteCalls,
  completeCall,
  dialogCalls,
  type Edit,
  isSettled,
  newDialog,
  openSection,
  pieces,
  sectionTime,
  setCall,
  startCall,
  timeValue,
} from "../../src/dialog/edit.ts";
import { incompleteOf } from "../../src/dialog/incomplete-call.ts";
import type { Dialog, Meta } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { recover } from "../../src/dialog/recover.ts";
import { sectionHeadText, serialiseDialog, textText } from "../../src/dialog/serialise.ts";
import { createTextWriter } from "../../src/dialog/text-writer.ts";
import { hostileCall, hostileText, lawTimeout, runs } from "./hostile.ts";
import { PieceFile } from "./notation.ts";

/** A step that changes a dialog. A step that is impossible at that point does nothing. */
type Step = (dialog: Dialog) => Edit[];

const step: fc.Arbitrary<Step> = fc.oneof(
  hostileText.map(
    (text): Step =>
      (dialog) => [addText(dialog, text)],
  ),
  fc.tuple(fc.array(hostileText, { maxLength: 4 }), fc.constantFrom("by-itself", "cut")).map(
    ([chunks, ended]): Step =>
      (dialog) =>
        stream(dialog, chunks, ended),
  ),
  fc.constantFrom("run_command", "run_command ", "launch_agent", "*").chain((value) =>
    fc.constantFrom("Authorized", "Revoked").map(
      (key): Step =>
        (dialog) => [addMeta(dialog, [{ key, value }])],
    ),
  ),
  hostileText.map(
    (value): Step =>
      (dialog) => [
        addMeta(dialog, [
          { key: "Stop", value },
          { key: "Usage cumulative", value },
        ]),
      ],
  ),
  hostileText.map(
    (value): Step =>
      (dialog) => [...closing(dialog), ...next(dialog, (d) => openSection(d, "user", [{ key: "Time", value }], { open: false }))],
  ),
  hostileText.map(
    (value): Step =>
      (dialog) => {
        const head = [
          { key: "Time", value: timeValue(value.slice(0, 9).trim()) },
          { key: "Agent", value },
        ];
        return [...closing(dialog), ...next(dialog, (d) => openSection(d, "assistant", head, { open: true }))];
      },
  ),
  hostileCall.map(
    (call): Step =>
      (dialog) =>
        dialog.sections.at(-1)?.role === "assistant" ? [addCall(dialog, call)] : [],
  ),
  hostileCall.map(
    ({ id, name }): Step =>
      (dialog) => {
        const last = dialog.sections.at(-1);
        return last !== undefined && last.role === "assistant" && sectionTime(last).open ? [startCall(dialog, { id, name })] : [];
      },
  ),
  fc.tuple(fc.nat(), hostileCall).map(
    ([which, call]): Step =>
      (dialog) => {
        const begun = begunCalls(dialog);
        const at = begun[which % begun.length];
        return at === undefined ? [] : [completeCall(dialog, at, call)];
      },
  ),
  fc.tuple(fc.nat(), hostileCall).map(
    ([which, { decision, started, result }]): Step =>
      (dialog) => {
        const open = dialogCalls(dialog).filter((call) => !isSettled(call));
        const call = open[which % open.length];
        return call === undefined ? [] : [setCall(dialog, call.id, { decision, started, result })];
      },
  ),
);

const story = fc
  .tuple(
    fc.array(
      hostileText.map((value): Meta => ({ key: "Provider", value })),
      { maxLength: 2 },
    ),
    fc.array(step, { minLength: 3, maxLength: 10 }),
  )
  .map(([head, steps]) => play(head, steps));

function play(head: readonly Meta[], steps: readonly Step[]): { dialog: Dialog; file: PieceFile } {
  const file = new PieceFile();
  const first = newDialog(head);
  file.apply(first.ops);
  let { dialog } = first;
  for (const each of steps) {
    for (const edit of each(dialog)) {
      file.apply(edit.ops);
      dialog = edit.dialog;
    }
  }
  return { dialog, file };
}

function stream(dialog: Dialog, chunks: readonly string[], ended: "by-itself" | "cut"): Edit[] {
  const writer = createTextWriter();
  const edits: Edit[] = [];
  let now = dialog;
  for (const piece of [...chunks.map((chunk) => () => writer.push(chunk)), () => writer.end(ended)]) {
    const edit = appendText(now, piece());
    edits.push(edit);
    now = edit.dialog;
  }
  return edits;
}

/** The incomplete calls of a section that is being written, by their positions among its calls. */
function begunCalls(dialog: Dialog): number[] {
  const last = dialog.sections.at(-1);
  if (last === undefined || !sectionTime(last).open) return [];
  const calls = last.parts.filter((part) => part.kind === "call" || incompleteOf(part) !== null);
  return calls.flatMap((part, at) => (part.kind === "call" ? [] : [at]));
}

/** Closes what is open in a section that is being written, before the next section opens. */
function closing(dialog: Dialog): Edit[] {
  const last = dialog.sections.at(-1);
  if (last === undefined || !sectionTime(last).open || last.role !== "assistant") return [];
  return [closeIncompleteCalls(dialog), closeHead(dialog, "2026-11-21T20:11:14.002Z")];
}

function next(dialog: Dialog, edit: (dialog: Dialog) => Edit): Edit[] {
  return [edit(closing(dialog).at(-1)?.dialog ?? dialog)];
}

test(
  "the operations give the file of the dialog; the file gives the dialog; its pieces give the file",
  () => {
    fc.assert(
      fc.property(story, ({ dialog, file }) => {
        expect(file.text).toBe(serialiseDialog(dialog));
        expect(parseDialog(file.text)).toStrictEqual(dialog);
        expect(serialiseDialog(parseDialog(file.text))).toBe(file.text);
        expect(
          pieces(dialog)
            .map(({ data }) => data)
            .join(""),
        ).toBe(file.text);
        expect(recover(file.text)).toBe(file.text);
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

test(
  "cut anywhere, it says nothing that it did not say before; made whole, it can be continued",
  () => {
    const cuts = fc.tuple(story, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), fc.boolean());
    fc.assert(
      fc.property(cuts, ([{ dialog, file }, places, bytes]) => {
        const whole = bytes ? Buffer.from(file.text) : file.text;
        for (const place of places) {
          const at = place % (whole.length + 1);
          const cut = typeof whole === "string" ? whole.slice(0, at) : whole.subarray(0, at).toString();
          expectNothingNew(parseDialog(cut), dialog);
          const recovered = recover(cut);
          expectNothingNew(parseDialog(recovered), dialog);
          expect(recover(recovered)).toBe(recovered);
          expect(recovered === "" || recovered.endsWith("\n")).toBe(true);
          expect(recovered).not.toMatch(/\p{Cs}/u);

          const head = [{ key: "Time", value: "2026-11-22T00:00:00.000Z" }];
          const continued = parseDialog(recovered + sectionHeadText({ role: "user", head }) + textText("Go on."));
          expect(continued.sections.at(-1)).toEqual({ role: "user", head, parts: [{ kind: "text", text: "Go on." }] });
          expect({ ...continued, sections: continued.sections.slice(0, -1) }).toEqual(parseDialog(recovered));
        }
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

function expectNothingNew(cut: Dialog, whole: Dialog): void {
  const calls = dialogCalls(cut);
  const all = dialogCalls(whole);
  expect(calls.length).toBeLessThanOrEqual(all.length);
  calls.forEach((call, at) => {
    const before = all[at];
    expect([call.id, call.name]).toEqual([before?.id, before?.name]);
    if (call.decision !== null) expect(call.decision).toBe(before?.decision);
    if (call.started !== null) expect(call.started).toBe(before?.started);
    if (call.result !== undefined) expect(call.result).toStrictEqual(before?.result);
    if (!("invalid" in call.input)) expect(call.input).toStrictEqual(before?.input);
  });
  expect(authorityLines(whole).slice(0, authorityLines(cut).length)).toEqual(authorityLines(cut));
  expect(cut.sections.map(({ role }) => role)).toEqual(whole.sections.slice(0, cut.sections.length).map(({ role }) => role));
  if (cut.format !== 1) expect(authorized(cut).size).toBe(0);
}

function authorityLines(dialog: Dialog): Meta[] {
  const parts = [dialog.parts, ...dialog.sections.map((section) => section.parts)].flat();
  return parts.flatMap((part) => (part.kind === "meta" ? part.lines.filter(({ key }) => key === "Authorized" || key === "Revoked") : []));
}
