import { createMemo, For, Show } from "solid-js";
import type { BuiltInAgent } from "../../protocol/index.ts";
import { createLatest } from "../model/api/latest.ts";
import type { Router } from "../model/route.ts";
import * as t from "../texts/agents-page.ts";
import { number } from "../ui/sizes.ts";
import { addAgent, failureOf, readBuiltIn, valueOf } from "./load.ts";
import { Problem } from "../ui/Problem.tsx";
import { fileOf } from "./AgentRows.tsx";
import { AgentText } from "./AgentText.tsx";

/**
 * The agents that come with Vibey, which can't be mentioned or started. A copy can be edited, and replaces the original. `change`: runs the action of
 * a click. `asked`: increases when files have changed.
 */
export function BuiltIn(props: {
  asked: number;
  busy: boolean;
  router: Router;
  change: (slug: string, work: () => ReturnType<typeof addAgent>) => void;
}) {
  const answer = createLatest(() => props.asked, readBuiltIn);
  const unread = () => {
    const why = failureOf(answer());
    return why === null ? null : t.notLoaded(why);
  };
  /** A failed reading doesn't remove rows. */
  const agents = createMemo((last: readonly BuiltInAgent[]) => valueOf(answer()) ?? last, []);
  const slugs = createMemo(() => agents().map(({ slug }) => slug));
  const file = ({ slug }: BuiltInAgent) => fileOf({ path: `vibey/agent-${slug}.md`, place: "yours" });
  const facts = ({ isReplaced, maxTokens }: BuiltInAgent) =>
    [...(isReplaced ? [t.yoursInstead] : []), t.noTools, t.bounded(number(maxTokens))].join(" · ");
  function copy({ slug, text }: BuiltInAgent) {
    const router = props.router;
    props.change(slug, async () => {
      const made = await addAgent({ slug, text });
      if (made.ok) router.go({ tab: "docs", file: { kind: "doc", name: `agent-${slug}.md` } });
      return made;
    });
  }
  return (
    <Show when={answer()}>
      <section aria-label={t.builtIn}>
        <h3>{t.builtIn}</h3>
        <Problem text={unread()} />
        <ul>
          {/* By their slugs, so that a row stays while files change. */}
          <For each={slugs()}>
            {(slug) => (
              <Show when={agents().find((agent) => agent.slug === slug)}>
                {(agent) => (
                  <li classList={{ off: agent().isReplaced }}>
                    <div class="agent-words">
                      <b>{agent().displayName}</b> <span>{agent().description}</span>
                      <p class="hint">{facts(agent())}</p>
                      <AgentText text={agent().text} />
                    </div>
                    <div class="agent-actions">
                      <Show
                        when={agent().isReplaced}
                        fallback={
                          <button
                            type="button"
                            class="quiet"
                            disabled={props.busy}
                            aria-label={t.editCopyOf(agent().displayName)}
                            onClick={() => copy(agent())}
                          >
                            {t.editCopy}
                          </button>
                        }
                      >
                        <a class="action quiet" href={file(agent())} aria-label={t.editYoursOf(agent().displayName)}>
                          {t.editYours}
                        </a>
                      </Show>
                    </div>
                  </li>
                )}
              </Show>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
