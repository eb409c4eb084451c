import { createSignal, For, Match, onCleanup, Show, Switch } from "solid-js";
import { newDialog, writeDeed, writeFile } from "../model/api/calls.ts";
import { Visible } from "../calls/Visible.tsx";
import { draftKey } from "../dialogs/drafts.ts";
import { mainDoc } from "../docs/names.ts";
import { docFilename } from "../docs/new-doc.ts";
import type { Drafts } from "../docs/drafts.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import { Modal } from "../ui/Modal.tsx";
import type { Route } from "../model/route.ts";
import { fileSize } from "../ui/format.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/share.ts";
import { type Inbox, openInbox } from "./inbox.ts";
import { type Item, itemsOf } from "./items.ts";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./share.css";

/** The maximum number of characters shown of a text, and of a name. No file of a project has a longer name. */
const shown = 600;
const longestName = 1_024;
const shortened = (name: string) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);

export interface ShareDialogProps {
  readonly drafts: Drafts;
  readonly names: readonly string[];
  readonly deed: readonly string[];
  /** A new object each time something was shared. `full`: it could not be stored because there was no room, or it could not be read. */
  readonly handed: { readonly full: boolean };
  readonly go: (route: Route) => void;
  readonly openZip: (file: File) => void;
  readonly close: () => void;
}

/** Items being saved. A second click can't create a second dialog or discard one of them. */
function createTaken() {
  const [taken, setTaken] = createSignal<ReadonlySet<Item>>(new Set());
  return {
    has: (item: Item) => taken().has(item),
    async during(item: Item, work: Promise<unknown>) {
      setTaken(new Set([...taken(), item]));
      try {
        await work;
      } finally {
        setTaken(new Set([...taken()].filter((other) => other !== item)));
      }
    },
  };
}

/** What other apps have shared, one item after another. The user decides what each becomes. Until then, it stays here. */
export default function ShareDialog(props: ShareDialogProps) {
  const [items, setItems] = createSignal<readonly Item[] | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [full, setFull] = createSignal(false);
  const [rows, setRows] = createSignal<HTMLElement>();
  const seen = new Set<number>();
  let inbox: Inbox | null = null;
  let isGone = false;
  onCleanup(() => {
    isGone = true;
    inbox?.close();
  });
  let looking = Promise.resolve();
  /** Adds what arrived since the last time. */
  async function lookNow(): Promise<void> {
    const found: Item[] = [];
    try {
      inbox ??= await openInbox();
      if (isGone) return inbox.close();
      for (const arrival of await inbox.all()) {
        if (seen.has(arrival.id)) continue;
        found.push(...(await itemsOf(arrival)));
        seen.add(arrival.id);
      }
    } catch (error) {
      setProblem(t.notRead(error instanceof Error ? error.message : String(error)));
    }
    setItems((before) => [...(before ?? []), ...found]);
  }
  const look = () => (looking = looking.then(lookNow));
  onChange(
    () => props.handed,
    ({ full: isFull }) => {
      if (isFull) setFull(true);
      void look();
    },
  );

  const taken = createTaken();

  /** The item is done. Other items of the same arrival stay. */
  async function settle(item: Item) {
    const at = items()?.indexOf(item) ?? 0;
    const rest = (items() ?? []).filter((other) => other !== item);
    setItems(rest);
    setProblem(null);
    // If the focus was in the item, move it to the one that took its place.
    const next = rows()?.children[Math.min(at, rest.length - 1)];
    if (document.activeElement === document.body) next?.querySelector<HTMLElement>("button:enabled")?.focus();
    if (!rest.some(({ arrival }) => arrival === item.arrival)) await inbox?.remove(item.arrival);
    if (rest.length > 0) return;
    await look();
    if (items()?.length === 0) props.close();
  }

  /** Counts the choices. The last choice is what shows in the end, whichever is done first. */
  let chosen = 0;
  function showUnlessOutdated(mine: number, route: Route) {
    if (mine === chosen) props.go(route);
  }

  async function makeDoc(item: Item & { readonly kind: "text" }, typed: string) {
    const mine = ++chosen;
    const answer = docFilename(typed);
    if (!answer.ok) return setProblem(answer.why);
    if (answer.name === mainDoc) return setProblem(t.notMain);
    if (props.names.includes(answer.name)) return setProblem(t.docExists);
    const written = await writeFile(answer.name, item.text);
    if (!written.ok) return setProblem(t.notStored(written.message));
    await settle(item);
    return showUnlessOutdated(mine, { tab: "docs", file: { kind: "doc", name: answer.name } });
  }

  async function makeDialog(item: Item & { readonly kind: "text" }) {
    const mine = ++chosen;
    const answer = await newDialog({ provider: (await defaultProvider()) ?? "demo", slug: item.name });
    if (!answer.ok) return setProblem(t.notBegun(answer.message));
    props.drafts.keep(draftKey(answer.value.dialogId), { text: item.text, etag: null });
    props.drafts.flush();
    await settle(item);
    return showUnlessOutdated(mine, { tab: "dialogs", dialogId: answer.value.dialogId });
  }

  async function makeFile(item: Item & { readonly kind: "file" }) {
    const mine = ++chosen;
    if (props.deed.includes(item.name)) return setProblem(t.fileExists(shortened(item.name)));
    const written = await writeDeed(item.name, item.file);
    if (!written.ok) return setProblem(t.notStored(written.message));
    await settle(item);
    return showUnlessOutdated(mine, { tab: "docs", file: { kind: "deed", path: item.name } });
  }

  return (
    <Modal title={t.title} close={() => props.close()}>
      <Show when={full()}>
        <p class="problem">{t.noRoom}</p>
      </Show>
      <Show when={problem()}>
        {(why) => (
          <p class="problem" role="alert">
            {why()}
          </p>
        )}
      </Show>
      <Show when={items()} fallback={<output>{t.looking}</output>}>
        {(list) => (
          <Show when={list().length > 0} fallback={<p>{t.nothingWaits}</p>}>
            <ul class="handed" ref={setRows}>
              <For each={list()}>
                {(item) => (
                  <li>
                    <Switch>
                      <Match when={item.kind === "text" && item}>
                        {(text) => (
                          <TextItem
                            item={text()}
                            busy={taken.has(item)}
                            doc={(name) => void taken.during(item, makeDoc(text(), name))}
                            dialog={() => void taken.during(item, makeDialog(text()))}
                          />
                        )}
                      </Match>
                      <Match when={item.kind === "zip" && item}>
                        {(zip) => (
                          <FileItem
                            of={zip()}
                            label={t.lookInside}
                            busy={taken.has(item)}
                            choose={() => {
                              // The zip stays until it is discarded, because the user may not import it.
                              props.close();
                              props.openZip(zip().file);
                            }}
                          />
                        )}
                      </Match>
                      <Match when={item.kind === "file" && item}>
                        {(file) => (
                          <FileItem
                            of={file()}
                            label={t.putIntoDeed}
                            busy={taken.has(item)}
                            choose={() => void taken.during(item, makeFile(file()))}
                          />
                        )}
                      </Match>
                    </Switch>
                    <button type="button" class="quiet" disabled={taken.has(item)} onClick={() => void taken.during(item, settle(item))}>
                      {t.throwAway}
                    </button>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )}
      </Show>
    </Modal>
  );
}

function FileItem(props: { of: Exclude<Item, { readonly kind: "text" }>; label: string; busy: boolean; choose: () => void }) {
  return (
    <>
      <p>
        <Parts of={t.nameAndSize(fileSize(props.of.file.size))} slots={{ name: () => <Visible text={shortened(props.of.name)} /> }} />
      </p>
      <button type="button" class="primary" disabled={props.busy} onClick={() => props.choose()}>
        {props.label}
      </button>
    </>
  );
}

function TextItem(props: { item: Item & { readonly kind: "text" }; busy: boolean; doc: (name: string) => void; dialog: () => void }) {
  return (
    <>
      <pre class="handed-text">
        <Visible text={props.item.text.slice(0, shown)} />
      </pre>
      <Show when={props.item.text.length > shown}>
        <p class="handed-more">{t.moreCharacters(props.item.text.length - shown)}</p>
      </Show>
      <form
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          const name = new FormData(event.currentTarget).get("name");
          props.doc(typeof name === "string" ? name : "");
        }}
      >
        <input name="name" aria-label={t.nameOfDoc} value={props.item.name} autocomplete="off" />
        <button type="submit" class="primary" disabled={props.busy}>
          {t.makeDoc}
        </button>
        <button type="button" class="quiet" disabled={props.busy} onClick={() => props.dialog()}>
          {t.beginDialog}
        </button>
      </form>
    </>
  );
}
