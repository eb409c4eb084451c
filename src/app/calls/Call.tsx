import { createMemo, createSignal, Index, Show, Suspense } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { change, fields, launched, measure, output, payload, stateWords, subject, words } from "./describe.ts";
import { slugOf } from "../docs/names.ts";
import { collapseLines } from "./collapse-lines.ts";
import type { Running } from "../dialogs/running.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/calls.ts";
import { LiveOutput } from "./LiveOutput.tsx";
import type { Reading } from "./lookalikes.ts";
import { visible } from "./visible.ts";
import { Visible } from "./Visible.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";

const Diff = lazyPart(() => import("./Diff.tsx"));
const Exact = lazyPart(() => import("./Exact.tsx"));

/** Rows of a diff that show at first, unless the diff is to be approved. */
const maxDiffRows = 80;

export interface CallInputProps {
  readonly call: CallView;
  /** Shows only the two ends of long text until the reader asks for the rest. Never for input to be approved. */
  readonly fold?: boolean;
  /** For input to be approved: the field that the heading already shows, and whether a long content has been unfolded. */
  readonly asked?: { readonly headed: string | null; readonly isOpen: boolean; readonly open: () => void };
}

/** The exact input of a call: its fields, its change as a diff, and its whole payload. */
export function CallInput(props: CallInputProps) {
  const diff = () => change(props.call);
  const content = () => (diff() === null ? payload(props.call) : null);
  const below = () => fields(props.call).filter(({ name }) => name !== props.asked?.headed);
  return (
    <>
      <Index each={below()}>
        {(field) => <FieldText name={field().name} value={field().value} fold={props.fold} reading={readingOf(field().name)} />}
      </Index>
      <Show when={diff()}>
        {(texts) => (
          <Suspense fallback={<p class="loading">{t.loading}</p>}>
            <Diff before={texts().before} after={texts().after} first={texts().line} {...(props.fold ? { longest: maxDiffRows } : {})} />
          </Suspense>
        )}
      </Show>
      <Show when={content()}>
        {(file) => (
          <FieldText
            name={props.asked ? "" : "content"}
            value={file().content}
            fold={props.asked ? !props.asked.isOpen : props.fold}
            reading="text"
            {...(props.asked ? { unfold: { label: t.wholeFile, done: props.asked.open } } : {})}
          />
        )}
      </Show>
    </>
  );
}

/** Fields that a program reads, not a person or a model. */
const read: ReadonlySet<string> = new Set(["command", "path", "slug", "model", "provider"]);
const readingOf = (field: string): Reading => (read.has(field) ? "command" : "text");

interface FieldProps {
  /** "": the field needs no name. */
  readonly name: string;
  readonly value: string;
  readonly fold?: boolean | undefined;
  /** Set if the user decides on exactly this text. Unset for output. */
  readonly reading?: Reading;
  /** The label of the button that unfolds the text, and a function to call after that. */
  readonly unfold?: { readonly label: string; readonly done: () => void };
}

export function FieldText(props: FieldProps) {
  const [whole, setWhole] = createSignal(false);
  const [box, setBox] = createSignal<HTMLElement>();
  const cut = createMemo(() => (props.fold === true && !whole() ? collapseLines(props.value) : null));
  function unfold() {
    setWhole(true);
    props.unfold?.done();
    box()?.focus({ preventScroll: true });
  }
  return (
    <div class="field" classList={{ short: !props.value.includes("\n") && props.value.length <= 200 }}>
      <Show when={props.name !== "" && props.name !== "command"}>
        <span class="field-name">
          <Visible text={props.name} />
        </span>
      </Show>
      <FieldPre ref={setBox} text={cut()?.head ?? props.value} reading={props.reading} first={cut() === null ? undefined : 1} />
      <Show when={cut()}>
        {(fold) => (
          <>
            <p class="folded-away">
              <span>{fold().hidden}</span>
              <button type="button" class="quiet small" onClick={unfold}>
                {props.unfold?.label ?? fold().all}
              </button>
            </p>
            <FieldPre text={fold().tail} reading={props.reading} first={fold().tailLine} />
          </>
        )}
      </Show>
    </div>
  );
}

/** `first`: the number of its first line. */
function FieldPre(props: { ref?: (pre: HTMLElement) => void; text: string; reading: Reading | undefined; first: number | undefined }) {
  return (
    // Scrollable content must be reachable with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre ref={(pre) => props.ref?.(pre)} tabindex={0}>
      <Show when={props.reading} fallback={<Visible text={props.text} />}>
        {(reading) => (
          <Suspense fallback={<span class="loading">{t.loading}</span>}>
            <Exact text={props.text} reading={reading()} first={props.first} />
          </Suspense>
        )}
      </Show>
    </pre>
  );
}

/** What a call is about, in one line. File content that it carries is named, never shown. */
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
  /** Whether the dialog is done. */
  readonly done: boolean;
  /** Whether the message with the call is still being written. */
  readonly writing: boolean;
  readonly opened: Map<string, boolean>;
  /** The running command of this dialog, and whether it waits for the user. */
  readonly running: Running | null;
  readonly waits: boolean;
}

/** One quiet line that opens to the exact input and the whole output. A diff is open from the start, because it shows what was done. */
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
                <Index each={output(props.call.result)}>{(field) => <FieldText name={field().name} value={field().value} fold />}</Index>
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
