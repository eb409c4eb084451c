import { batch, createMemo, createSignal, onCleanup, Show } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { StreamFrame } from "../../protocol/index.ts";
import { openTextStream } from "../model/api/calls.ts";
import { follow } from "../model/api/follow.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import type { Notices } from "../ui/notices.ts";
import { CommandButton, linkCommand } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import { formatRoute, type Lines, type TextPlace } from "../model/route.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/dialog-text.ts";
import * as dialogTexts from "../texts/dialogs.ts";
import { copyMarkdown } from "./copy.ts";
import { placeLines } from "./place-lines.ts";
import { afterFrame, type FileText } from "./text-lines.ts";
import { onChange } from "../ui/on-change.ts";

/** The maximum number of characters shown of one line. A result of a megabyte is one line in the file, and would freeze the page. */
const maxLineLength = 4_000;

/** A dialog's file as stored, line by line, read only. The lines that a link names are marked and scrolled into view. */
export default function TextPane(props: { dialogId: string; at: Lines | TextPlace | null; notices: Notices }) {
  const [file, setFile] = createSignal<FileText | null>(null);
  const [missing, setMissing] = createSignal(false);
  const [lost, setLost] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [list, setList] = createSignal<VListHandle>();
  /** The lines of the place that a link names. */
  const [found, setFound] = createSignal<Lines | null>(null);
  const [placeGone, setPlaceGone] = createSignal(false);
  const lines = (): Lines | null => (props.at !== null && "from" in props.at ? props.at : found());

  onChange(
    () => props.dialogId,
    (dialogId) => {
      batch(() => {
        setFile(null);
        setMissing(false);
        setLost(false);
        setProblem(null);
      });
      const controller = new AbortController();
      onCleanup(() => controller.abort());
      void follow<StreamFrame>(
        {
          open: (signal) => openTextStream(dialogId, signal),
          frame: (frame) => {
            setFile((old) => afterFrame(old, frame));
            if (frame.type === "gone") setMissing(true);
            return frame.type !== "gone";
          },
          lost: setLost,
          missing: () => setMissing(true),
        },
        controller.signal,
      );
    },
  );

  /** The indexes of the lines. They are plain numbers, so the list keeps its nodes when lines change. */
  const numbers = createMemo(() => file()?.lines.map((_, index) => index) ?? []);
  const isNamed = (index: number) => {
    const named = lines();
    return named !== null && index + 1 >= named.from && index + 1 <= named.to;
  };
  const isBeyond = () => {
    const [now, named] = [file(), lines()];
    return now !== null && named !== null && named.from > now.lines.length;
  };
  // Looked up only once: text added below a place doesn't move what is above it.
  onChange([() => props.at, () => file() !== null], ([at, there]) => {
    const place = at === null || "from" in at || !there ? null : placeLines(file()?.lines ?? [], at);
    setFound(place);
    setPlaceGone(at !== null && !("from" in at) && there && place === null);
  });
  onChange([list, lines, () => file() !== null], ([handle, named, there]) => {
    if (handle === undefined || named === null || !there) return;
    requestAnimationFrame(() => handle.scrollToIndex(Math.max(0, named.from - 3), { align: "start" }));
  });

  async function copy() {
    const failed = await copyMarkdown(props.dialogId, props.notices);
    if (failed !== null) setProblem(failed);
  }
  const copying: Command = { label: t.copy, run: () => void copy() };
  // Read wherever it is shown.
  // oxlint-disable-next-line solid/reactivity
  const back = linkCommand(t.backToDialog, () => formatRoute({ tab: "dialogs", dialogId: props.dialogId }));
  offer({ commands: () => (missing() ? [] : [copying, back]), about: () => slugOf(props.dialogId) });

  return (
    <div class="dialog-pane">
      <header class="dialog-head">
        <h2>
          <Visible text={slugOf(props.dialogId)} />
        </h2>
        <p class="doing">
          <Show when={file()}>{(now) => <>{t.asText(now().lines.length)}</>}</Show>
        </p>
        <Show when={!missing()}>
          <div class="dialog-actions">
            <CommandButton of={copying} class="quiet" />
            <CommandButton of={back} class="action quiet" />
          </div>
        </Show>
      </header>
      <Problem text={problem()} column />
      <Show when={lost()}>
        <p class="problem column">{dialogTexts.engineSilentNow}</p>
      </Show>
      <Problem text={isBeyond() ? t.beyondEnd(lines()?.from ?? 0, file()?.lines.length ?? 0) : null} column />
      <Problem text={placeGone() ? t.placeGone : null} column />
      <Show when={!missing()} fallback={<p class="empty">{t.gone}</p>}>
        <section class="text-lines" aria-label={t.theFile}>
          <VList ref={setList} class="text-list" data={numbers()} tabindex={0}>
            {(index) => <NumberedLine number={index + 1} text={file()?.lines[index] ?? ""} named={isNamed(index)} />}
          </VList>
        </section>
      </Show>
    </div>
  );
}

function NumberedLine(props: { number: number; text: string; named: boolean }) {
  const left = () => props.text.length - maxLineLength;
  return (
    <div class="text-line" classList={{ named: props.named }}>
      <span class="line-number" aria-hidden="true">
        {props.number}
      </span>
      <code>
        <Visible text={left() > 0 ? props.text.slice(0, maxLineLength) : props.text} />
        <Show when={left() > 0}>
          <em> {t.moreCharacters(left())}</em>
        </Show>
      </code>
    </div>
  );
}
