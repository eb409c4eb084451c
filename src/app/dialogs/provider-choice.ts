import { type Accessor, createSignal } from "solid-js";
import { listModels, readProvider } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import { type ProviderName, providers } from "../providers/names.ts";
import { serverName } from "../providers/servers.ts";
import type { Head } from "./running.ts";
import { onChange } from "../ui/on-change.ts";

/** What the page knows of the providers' settings, and a way to change them. */
export interface ProviderRegistry {
  /** Increases with every change of the settings. */
  readonly changes: () => number;
  readonly settings: (name: ProviderName) => void;
  /** Asks the user to unlock the keys of these providers if one is locked; without names, those of all providers. False: the user didn't. */
  readonly ready: (...names: readonly string[]) => Promise<boolean>;
}

/** Who answers the next message: the dialog's provider and model, until the user chooses others. */
export function createProviderChoice(head: Accessor<Pick<Head, "dialogId" | "provider" | "model">>, changes: Accessor<number>) {
  const [provider, setProvider] = createSignal("");
  const [model, setModel] = createSignal("");
  const states = createLatest(
    () => ({ changes: changes() }),
    async () => new Map(await Promise.all(providers.map(async ({ name }) => [name, await readProvider(name)] as const))),
  );
  const stateOf = (name: string) => {
    const known = providers.find((one) => one.name === name);
    const answer = known === undefined ? undefined : states()?.get(known.name);
    return answer?.ok ? answer.value : null;
  };
  /** A provider that the user has not set up gets no requests. While the list is empty, each visit of the field requests it again. */
  const [visits, setVisits] = createSignal(0);
  const isAsked = () => visits() > 0 && stateOf(provider())?.configured === true;
  const models = createLatest(
    () => ({ name: provider(), ask: isAsked(), visit: visits() }),
    async ({ name, ask }) => {
      if (!ask) return null;
      const answer = await listModels(name);
      return answer.ok ? answer.value.models : [];
    },
  );

  onChange([() => head().dialogId, () => head().provider, () => head().model], () => {
    setProvider(head().provider);
    setModel(head().model);
  });

  return {
    provider,
    model,
    /** The settings of the chosen provider; null while they are not known. */
    state: () => stateOf(provider()),
    label(name: ProviderName, usual: string): string {
      const state = stateOf(name);
      return name === "openai" && state !== null ? serverName(state.baseURL) : usual;
    },
    /** Null while they are being requested. */
    models: () => (isAsked() ? models() : []),
    visitModels: () => (models() ?? []).length === 0 && setVisits(visits() + 1),
    chooseProvider(name: string) {
      setProvider(name);
      setModel(name === head().provider ? head().model : "");
    },
    chooseModel: (name: string) => setModel(name),
  };
}
export type ProviderChoice = ReturnType<typeof createProviderChoice>;
