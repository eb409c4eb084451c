import * as fc from "fast-check";
import { addCall, addMeta, addText, closeHead, dialogCalls, openSection, setCall, timeValue } from "../../../src/dialog/edit.ts";
import type { Dialog } from "../../../src/dialog/model.ts";
import { hostileText } from "../hostile.ts";

/** A step of a dialog, as the engine takes them: nothing written is removed. */
export type Step = (dialog: Dialog) => Dialog;

export const time = "2026-11-21T20:11:01.000Z";
const isAgents = (dialog: Dialog) => dialog.sections.at(-1)?.role === "assistant";
export const step: fc.Arbitrary<Step> = fc.oneof(
  hostileText.map(
    (text): Step =>
      (dialog) =>
        dialog.sections.length === 0 || isAgents(dialog) ? addText(dialog, text).dialog : dialog,
  ),
  hostileText.map(
    (text): Step =>
      (dialog) =>
        addText(openSection(closed(dialog), "user", [{ key: "Time", value: text }], { open: false }).dialog, `${text}a`).dialog,
  ),
  fc.constant<Step>((dialog) => openSection(closed(dialog), "assistant", [{ key: "Time", value: timeValue(time) }], { open: true }).dialog),
  hostileText.map(
    (value): Step =>
      (dialog) =>
        addMeta(dialog, [
          { key: "Usage", value },
          { key: "Authorized", value },
        ]).dialog,
  ),
  hostileText.map(
    (text): Step =>
      (dialog) =>
        isAgents(dialog) && isOpen(dialog)
          ? addCall(dialog, { id: "a", name: text, input: { text }, decision: null, started: null, result: undefined }).dialog
          : dialog,
  ),
  fc.tuple(fc.nat(), fc.constantFrom("approved", "denied"), hostileText).map(
    ([which, decision, text]): Step =>
      (dialog) => {
        const open = dialogCalls(dialog).filter((call) => call.decision !== "denied" && call.result === undefined);
        const call = open[which % open.length];
        if (call === undefined) return dialog;
        return setCall(
          dialog,
          call.id,
          call.decision === null
            ? { decision: decision === "denied" ? "denied" : "approved" }
            : { started: time, result: { success: true, text } },
        ).dialog;
      },
  ),
);
const isOpen = (dialog: Dialog) => dialog.sections.at(-1)?.head.some(({ value }) => value.endsWith("- ")) === true;
const closed = (dialog: Dialog): Dialog => (isAgents(dialog) && isOpen(dialog) ? closeHead(dialog, time).dialog : dialog);
