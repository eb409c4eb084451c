import { createMemo, createSignal, For, Show, Suspense } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { change, fields, launched, measure, output, payload, stateWords, subject, words } from "./describe.ts";
import { slugOf } from "../docs/names.ts";
import { folded } from "./fold.ts";
import type { Running } from "../dialogs/running.ts";
import { formatRoute } from "../shell/route.ts";
import * as t from "../texts/calls.ts";
import { LiveOutput } from "./LiveOutput.tsx";
import type { Reading } from "./lookalikes.ts";
import { visible } from "./visible.ts";
import { Visible } from "./Visible.tsx";
import { lazyPart } from "../shell/lazy-part.tsx";

const Diff = lazyPart(() => import("./Diff.tsx"));
const Exact = lazyPart(() => import("./Exact.tsx"));

/** Rows of a diff that show at first where it is not what is to be approved. */
const longestDiff = 80;

/**
 * The exact input of a call: its fields, its change as a diff, its payload whole. `fold`: what is long shows its beginning until one asks
 * for the rest; never where it is to be approved.
 */
export function CallInput(props: { call: CallView; fold?: boolean }) {
  const diff = () => change(props.call);
  const content = () => (diff() === null ? payload(props.call) : null);
  return (
    <>
      <For each={fields(props.call)}>
        {(field) => <FieldText name={field.name} value={field.value} fold={props.fold} reading={readingOf(field.name)} />}
      </For>
      <Show when={diff()}>
        {(texts) => (
          <Suspense fallback={<p class="loading">{t.loading}</p>}>
            <Diff before={texts().before} after={texts().after} {...(props.fold ? { longest: longestDiff } : {})} />
          </Suspense>
        )}
      </Show>
      <Show when={content()}>{(file) => <FieldText name="content" value={file().content} fold={props.fold} reading="text" />}</Show>
    </>
  );
}

/** Fields that a program reads, and not a person or a model. */
const read: ReadonlySet<string> = new Set(["command", "path", "slug", "model", "provider"]);
const readingOf = (field: string): Reading => (read.has(field) ? "command" : "text");

/** `reading`: it is what a person decides on, exactly. Without one it is output. */
export function FieldText(props: { name: string; value: string; fold?: boolean | undefined; reading?: Reading }) {
  const [whole, setWhole] = createSignal(false);
  const [box, setBox] = createSignal<HTMLElement>();
  const cut = createMemo(() => (props.fold === true && !whole() ? folded(props.value) : null));
  function unfold() {
    setWhole(true);
    box()?.focus({ preventScroll: true });
  }
  return (
    <div class="field" classList={{ short: !props.value.includes("\n") && props.value.length <= 200 }}>
      <Show when={props.name !== "command"}>
        <span class="field-name">
          <Visible text={props.name} />
        </span>
      </Show>
      {/* What scrolls must be reachable with keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre ref={setBox} tabindex={0}>
        <Show when={props.reading} fallback={<Visible text={cut()?.beginning ?? props.value} />}>
          {(reading) => (
            <Suspense fallback={<span class="loading">{t.loading}</span>}>
              <Exact text={cut()?.beginning ?? props.value} reading={reading()} />
            </Suspense>
          )}
        </Show>
      </pre>
      <Show when={cut()}>
        {(fold) => (
          <button type="button" class="quiet small show-all" onClick={unfold}>
            {fold().all}
          </button>
        )}
      </Show>
    </div>
  );
}

/** What a call is about, in one line: the file content that it carries is named, never shown. */
export function CallTitle(props: { call: CallView }) {
  return (
    <>
      <span class="verb">{words(props.call.tool).verb}</span>
      <code>
        <Visible text={subject(props.call)} />
      </code>
      <Show when={payload(props.call)}>{(file) => <span class="measure">{measure(file().content)}</span>}</Show>
    </>
  );
}

export interface CallProps {
  readonly call: CallView;
  /** The dialog is done. */
  readonly done: boolean;
  /** The answer that it stands in is still being written. */
  readonly writing: boolean;
  readonly opened: Map<string, boolean>;
  /** The command that runs in this dialog, and whether it waits for a person. */
  readonly running: Running | null;
  readonly waits: boolean;
}

/** One quiet line that opens to the exact input and the whole output. A diff is open from the start: it is what was done. */
export function Call(props: CallProps) {
  const [chosen, setChosen] = createSignal<boolean | undefined>();
  const isLeft = () => props.done && props.call.state === "pending";
  const open = () => chosen() ?? props.opened.get(props.call.id) ?? (props.call.tool === "edit_file" && props.call.state !== "pending");
  function choose(next: boolean) {
    if (next === open()) return;
    props.opened.set(props.call.id, next);
    setChosen(next);
  }
  return (
    <>
      <details
        class={`call call-${isLeft() ? "left" : props.call.state}`}
        open={open()}
        onToggle={(event) => choose(event.currentTarget.open)}
      >
        <summary>
          <CallTitle call={props.call} />
          <em>{stateWords(props.call, props.done ? "never" : props.writing ? "later" : "now")}</em>
        </summary>
        <Show when={open()}>
          <div class="call-body">
            <CallInput call={props.call} fold />
            <Show when={output(props.call.result).length > 0}>
              <div class="output">
                <For each={output(props.call.result)}>{(field) => <FieldText name={field.name} value={field.value} fold />}</For>
              </div>
            </Show>
          </div>
        </Show>
      </details>
      <Show when={props.running?.callId === props.call.id && props.running}>
        {(running) => <LiveOutput running={running()} started={props.call.started} waits={props.waits} />}
      </Show>
      <Show when={launched(props.call)}>
        {(id) => (
          <a class="launched" href={formatRoute({ tab: "dialogs", dialogId: id() })}>
            {t.openLaunched(visible(slugOf(id())))}
          </a>
        )}
      </Show>
    </>
  );
}
