import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { agentName, initialsOf } from "../../dialog/mentions/agent-name.ts";
import { mentionAt, mentionedAgents } from "../../dialog/mentions/mentioned.ts";
import type { AgentView } from "../../protocol/index.ts";
import { described } from "../agents/described.ts";
import { addAgent, isWellNamed, readAgents } from "../agents/load.ts";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/mentions.ts";
import { onChange } from "../ui/on-change.ts";

/** In the order in which they are offered. */
const orders: readonly AnswerOrder[] = [null, "sequence", "turns"];
/** The maximum number of agents offered at a time. */
const most = 8;
const listId = "mention-list";

/** How several agents answer. null: all at the same time. */
export type AnswerOrder = "sequence" | "turns" | null;

export interface MentionsProps {
  readonly text: string;
  readonly area: HTMLTextAreaElement | undefined;
  /** Whether the dialog has no agent of its own. */
  readonly isRoom: boolean;
  /** Replaces the text and moves the caret. */
  readonly write: (text: string, caret: number) => void;
  /** The agents that will answer, by slug; `[]`: the dialog's own. */
  readonly mentioned: (slugs: readonly string[], order: AnswerOrder) => void;
  /** Registers a handler that receives the text's key presses first. It returns whether a key was meant for the list. */
  readonly bindKeys: (hear: ((event: KeyboardEvent) => boolean) | null) => void;
}

/** Completes `@` in a message to the name of an agent, and shows who will answer it. */
export default function Mentions(props: MentionsProps) {
  /** null: not known yet. */
  const [known, setAgents] = createSignal<readonly AgentView[] | null>(null);
  const agents = () => known() ?? [];
  const [problem, setProblem] = createSignal<string | null>(null);
  const [caret, setCaret] = createSignal(0);
  const [at, setAt] = createSignal(0);
  /** The position of the `@` whose list was closed. */
  const [closed, setClosed] = createSignal(-1);
  const [isOwn, setOwn] = createSignal(false);
  const [order, setOrder] = createSignal<AnswerOrder>(null);

  onMount(() => void list());
  async function list() {
    const answer = await readAgents();
    if (!answer.ok) return setProblem(t.notListed(answer.message));
    return setAgents(answer.value.filter((one) => isWellNamed(one) && one.isActive && !one.isSystem));
  }
  const [adding, setAdding] = createSignal(false);
  async function addRoster() {
    setAdding(true);
    setProblem(null);
    try {
      const { roster } = await import("../agents/roster.ts");
      for (const agent of roster) {
        const answer = await addAgent(agent);
        if (!answer.ok) setProblem(t.notAdded(answer.message));
      }
      await list();
    } catch (error) {
      // The code of the module could not be fetched.
      setProblem(t.notAdded(error instanceof Error ? error.message : String(error)));
    }
    setAdding(false);
    props.area?.focus();
  }

  createEffect(() => {
    const area = props.area;
    if (area === undefined) return;
    const look = () => setCaret(area.selectionStart);
    const kinds = ["input", "keyup", "click", "focus"] as const;
    for (const kind of kinds) area.addEventListener(kind, look);
    look();
    onCleanup(() => kinds.forEach((kind) => area.removeEventListener(kind, look)));
  });

  const begun = createMemo(() => mentionAt(props.text, caret()));
  const offered = createMemo(() => {
    const now = begun();
    if (now === null || now.from === closed()) return [];
    const fits = ({ slug, displayName }: AgentView) => slug.startsWith(now.name) || displayName.toLowerCase().startsWith(now.name);
    const found = agents().filter(fits);
    // Nothing is left to complete.
    return found.length === 1 && found[0]?.slug === now.name ? [] : found.slice(0, most);
  });
  onChange(
    () => offered(),
    () => setAt(0),
  );

  const named = createMemo(() => mentionedAgents(props.text, new Set(agents().map(({ slug }) => slug))));
  // Until the agents are known, the engine looks for them in the text.
  createEffect(() => known() !== null && props.mentioned(isOwn() ? [] : named(), named().length > 1 && !isOwn() ? order() : null));
  onChange(
    () => named(),
    (now) => now.length === 0 && setOwn(false),
  );

  function choose(agent: AgentView | undefined) {
    const now = begun();
    if (agent === undefined || now === null) return;
    const before = `${props.text.slice(0, now.from)}@${agent.slug} `;
    props.write(before + props.text.slice(now.to).trimStart(), before.length);
    setCaret(before.length);
    props.area?.focus();
  }
  function askBriefly() {
    const text = `${props.text.trimEnd()} ${t.briefly}`;
    props.write(text, text.length);
    props.area?.focus();
  }
  function hear(event: KeyboardEvent): boolean {
    const count = offered().length;
    if (count === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setAt((at() + 1) % count),
      ArrowUp: () => setAt((at() + count - 1) % count),
      Enter: () => choose(offered()[at()]),
      Tab: () => choose(offered()[at()]),
      Escape: () => setClosed(begun()?.from ?? -1),
    };
    const act = acts[event.key];
    if (act === undefined) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }
  onMount(() => props.bindKeys(hear));
  onCleanup(() => {
    props.bindKeys(null);
    for (const name of ["aria-controls", "aria-activedescendant", "aria-autocomplete"]) props.area?.removeAttribute(name);
  });
  createEffect(() => {
    const area = props.area;
    if (area === undefined) return;
    area.setAttribute("aria-autocomplete", "list");
    if (offered().length === 0) {
      area.removeAttribute("aria-controls");
      area.removeAttribute("aria-activedescendant");
      return;
    }
    area.setAttribute("aria-controls", listId);
    area.setAttribute("aria-activedescendant", `${listId}-${at()}`);
  });

  return (
    <div class="mentions">
      <Problem text={problem()} />
      <Show when={offered().length > 0}>
        <div
          id={listId}
          class="mention-list"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no select: the text keeps the focus
          role="listbox"
          aria-label={t.agents}
          tabindex={-1}
          onPointerDown={(event) => event.preventDefault()}
        >
          <For each={offered()}>
            {(agent, index) => (
              // The text has the focus and handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                id={`${listId}-${index()}`}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
                role="option"
                tabindex={-1}
                aria-selected={index() === at()}
                onClick={() => choose(agent)}
              >
                <b data-face={initialsOf(agentName(agent.slug))}>@{agent.slug}</b>{" "}
                <span>
                  <Visible text={described(agent)} />
                </span>
              </div>
            )}
          </For>
        </div>
      </Show>
      <Show when={known()?.length === 0 && begun() !== null}>
        <p class="mention-note">
          {t.noneYet}{" "}
          <button type="button" class="quiet small" disabled={adding()} onClick={() => void addRoster()}>
            {t.addRoster}
          </button>{" "}
          <a href={formatRoute({ tab: "agents" })}>{t.agents}</a>
        </p>
      </Show>
      <Show when={named().length > 0}>
        <p class="mention-note">
          <output>{isOwn() ? t.ownAnswers : (props.isRoom ? t.answersInRoom : t.answersHere)(named().map(agentName))}</output>{" "}
          <Show when={!props.isRoom}>
            <button type="button" class="quiet small" onClick={() => setOwn(!isOwn())}>
              {isOwn() ? t.askThem(named().map(agentName)) : t.askOwn}
            </button>
          </Show>
          <Show when={!isOwn() && !props.text.trimEnd().endsWith(t.briefly)}>
            <button type="button" class="quiet small" onClick={askBriefly}>
              {t.beBrief}
            </button>
          </Show>
          <Show when={named().length > 1 && !isOwn()}>
            <label>
              {t.order}
              <select onChange={(event) => setOrder(orders[event.currentTarget.selectedIndex] ?? null)}>
                <option selected={order() === null}>{t.atOnce}</option>
                <option selected={order() === "sequence"}>{t.oneByOne}</option>
                <option selected={order() === "turns"}>{t.inTurns}</option>
              </select>
            </label>
            <Show when={order() === "turns"}>
              <span>{t.turnsHint}</span>
            </Show>
          </Show>
        </p>
      </Show>
    </div>
  );
}
