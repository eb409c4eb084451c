import { createSignal } from "solid-js";
import type { DeedListing } from "../../protocol/index.ts";
import { listDeed, listFiles } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";

/** Milliseconds in which changes are collected before the lists are fetched again. */
const gather = 80;

/** The names of all files, kept up to date until the owner is disposed. */
export function createFiles(events: EngineEvents) {
  const [names, setNames] = createSignal<readonly string[]>([]);
  const [deed, setDeed] = createSignal<readonly DeedListing[]>([]);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  let turn = 0;

  async function refresh() {
    const mine = ++turn;
    const [files, made] = await Promise.all([listFiles(), listDeed()]);
    // Ignore an answer if a newer request was made.
    if (mine !== turn) return;
    if (files.ok) setNames(files.value);
    if (made.ok) setDeed(made.value);
    const failure = files.ok ? (made.ok ? null : made) : files;
    setProblem(failure?.message ?? null);
    setLoaded(true);
  }
  function refreshSoon() {
    timer ??= setTimeout(() => {
      timer = undefined;
      void refresh();
    }, gather);
  }
  createListener(events, (event) => {
    if (event.type === "hello") void refresh();
    else if (event.type === "file" || event.type === "deed" || event.type === "dialog" || event.type === "dialog_removed") refreshSoon();
  });
  return { names, deed, loaded, problem, refresh };
}
export type FileLists = ReturnType<typeof createFiles>;
