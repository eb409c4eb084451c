import { createMemo, createSignal, onCleanup, Show, Suspense } from "solid-js";
import type { AgentView } from "../../protocol/index.ts";
import { type Answer, newDialog } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { createLatest } from "../model/api/latest.ts";
import { formatRoute, type Router } from "../model/route.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import * as t from "../texts/agents-page.ts";
import { templates } from "./roster.ts";
import { AgentRows, fileOf } from "./AgentRows.tsx";
import { groupAgents } from "./group-agents.ts";
import { BuiltIn } from "./BuiltIn.tsx";
import { Templates } from "./Templates.tsx";
import { Schedules } from "./Schedules.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Problem } from "../ui/Problem.tsx";
import { ImportAgents } from "./ImportAgents.tsx";
import { NewAgent } from "./NewAgent.tsx";
import { RunBar } from "./run/RunBar.tsx";
import { InstructionFiles } from "./InstructionFiles.tsx";
import { nameInMain, readInstructions } from "./instructions.ts";
import { addAgent, adoptAgent, failureOf, isWellNamed, readAgents, setActive, valueOf } from "./load.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./agents.css";

const AdoptDialog = lazyPart(() => import("./AdoptDialog.tsx"));

/** Milliseconds without another file change until the lists are read again. */
const pause = 200;

/** The outcome of a click. */
interface Notice {
  readonly text: string;
  readonly wrong: boolean;
}

async function adoptAll(agents: readonly AgentView[]): Promise<Notice> {
  for (const agent of agents) {
    const done = await adoptAgent(agent, null);
    if (!done.ok) return { text: t.failed(agent.slug, done.message), wrong: true };
  }
  return { text: t.adoptedSome(agents.length), wrong: false };
}

async function beginWith(agent: string, router: Router): Promise<Notice | null> {
  const made = await newDialog({ provider: (await defaultProvider()) ?? "demo", agent });
  if (!made.ok) return { text: t.failed(agent, made.message), wrong: true };
  router.go({ tab: "dialogs", dialogId: made.value.dialogId });
  return null;
}

/** The agents of the project: the user's own, those of other programs, and templates. */
export default function AgentsPage(props: { router: Router; events: EngineEvents; download: () => void }) {
  const [asked, setAsked] = createSignal(0);
  const again = () => setAsked(asked() + 1);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  /** Many files may change at once. */
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(again, pause);
  }
  const answer = createLatest(asked, readAgents);
  const instructions = createLatest(asked, readInstructions);
  const [said, setSaid] = createSignal<Notice | null>(null);
  const [busy, setBusy] = createSignal(false);
  /** The found agent whose adoption is being previewed, and the user's agent with that name, both as they were at the click. */
  const [adopting, setAdopting] = createSignal<{ readonly found: AgentView; readonly own: AgentView | null } | null>(null);
  const [page, setPage] = createSignal<HTMLElement>();
  const [heading, setHeading] = createSignal<HTMLElement>();
  // Read when an event arrives.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (event) => {
    const changed = event.type === "file" ? event.data.name : event.type === "deed" ? event.data.path : null;
    if (event.type === "hello" || changed?.endsWith(".md") === true) soon();
  });

  /** The last successful reading, so that a failed one doesn't remove a form that the user is typing in. null: none has succeeded. */
  const known = createMemo((last: readonly AgentView[] | null) => valueOf(answer()) ?? last, null);
  const all = () => known() ?? [];
  const unread = () => {
    const why = failureOf(answer());
    return why === null ? null : t.notLoaded(why);
  };
  const groups = createMemo(() => groupAgents(all()));
  const isYours = (slug: string) => groups().slugs.has(slug);

  const offered = () => templates.filter(({ slug }) => !isYours(slug));

  async function change(work: () => Promise<Notice | null>) {
    if (busy()) return;
    setBusy(true);
    setSaid(await work());
    setBusy(false);
    again();
    // The pressed button may be gone.
    requestAnimationFrame(() => document.activeElement === document.body && heading()?.focus());
  }
  const one = (slug: string, work: () => Promise<Answer<unknown>>, done: string | null) =>
    void change(async () => {
      const answered = await work();
      if (!answered.ok) return { text: t.failed(slug, answered.message), wrong: true };
      return done === null ? null : { text: done, wrong: false };
    });
  function adoptEvery() {
    const these = groups().adoptable;
    void change(() => adoptAll(these));
  }
  function begin(agent: string) {
    const router = props.router;
    void change(() => beginWith(agent, router));
  }

  return (
    <div ref={setPage} class="agents-page">
      <div class="agents-column">
        <header>
          <h2 ref={setHeading} tabindex={-1}>
            {t.agents}
          </h2>
          <p class="hint">{t.intro}</p>
          <div class="agents-acts">
            <NewAgent router={props.router} />
            <a class="action quiet" href={formatRoute({ tab: "agents", graph: { run: null, of: null } })}>
              {t.runs}
            </a>
          </div>
        </header>
        <Suspense>
          <Show when={adopting()} keyed>
            {(adopted) => (
              <AdoptDialog
                found={adopted.found}
                own={adopted.own}
                close={() => setAdopting(null)}
                adopted={() => void change(async () => ({ text: t.adopted(adopted.found.slug), wrong: false }))}
              />
            )}
          </Show>
        </Suspense>
        <Problem text={unread() ?? (said()?.wrong === true ? (said()?.text ?? null) : null)} />
        <output class="unseen">{said()?.wrong === false ? said()?.text : ""}</output>
        <Show when={known()}>
          <RunBar events={props.events} agents={all()} asked={asked()} download={props.download} />
        </Show>
        <section aria-label={t.yours}>
          <h3>{t.yours}</h3>
          <Show when={known()} fallback={<p class="hint">{answer() === null ? t.loading : ""}</p>}>
            <Show when={groups().yours.length > 0} fallback={<p class="hint">{t.noneOfYours}</p>}>
              <ul>
                <AgentRows asked={asked()} changed={again} agents={groups().yours} isOff={({ isActive }) => !isActive}>
                  {(agent) => (
                    <>
                      <Show when={!agent().isSystem}>
                        <button
                          type="button"
                          class="quiet"
                          disabled={busy() || !agent().isActive || !isWellNamed(agent())}
                          aria-label={t.newDialogWith(agent().slug)}
                          onClick={() => begin(agent().slug)}
                        >
                          {t.newDialog}
                        </button>
                      </Show>
                      <a class="action quiet" href={fileOf(agent())} aria-label={t.editAgent(agent().slug)}>
                        {t.edit}
                      </a>
                      <a
                        class="action quiet"
                        href={formatRoute({ tab: "agents", versions: { slug: agent().slug, version: null } })}
                        aria-label={t.versionsOf(agent().slug)}
                      >
                        {t.versions}
                      </a>
                      {/* The button keeps the focus while it works. */}
                      <Show when={isWellNamed(agent()) && !agent().isSystem}>
                        <button
                          type="button"
                          class="quiet"
                          aria-label={agent().isActive ? t.turnOffAgent(agent().slug) : t.turnOnAgent(agent().slug)}
                          onClick={() => one(agent().slug, () => setActive(agent(), !agent().isActive), null)}
                        >
                          {agent().isActive ? t.turnOff : t.turnOn}
                        </button>
                      </Show>
                    </>
                  )}
                </AgentRows>
              </ul>
            </Show>
          </Show>
        </section>
        <Show when={groups().found.length > 0}>
          <section aria-label={t.found}>
            <h3>{t.found}</h3>
            <p class="hint">{t.foundHint}</p>
            <Show when={groups().adoptable.length > 1}>
              <button type="button" class="quiet" disabled={busy()} onClick={adoptEvery}>
                {t.adoptAll(groups().adoptable.length)}
              </button>
            </Show>
            <ul>
              <AgentRows asked={asked()} changed={again} agents={groups().found} isOff={() => false}>
                {(agent) => (
                  <Show when={!agent().isSystem}>
                    <button
                      type="button"
                      class="quiet"
                      disabled={busy()}
                      aria-label={(isYours(agent().slug) ? t.compareAgent : t.adoptAgent)(agent().slug)}
                      onClick={() => setAdopting({ found: agent(), own: groups().yours.find(({ slug }) => slug === agent().slug) ?? null })}
                    >
                      {isYours(agent().slug) ? t.compare : t.adopt}
                    </button>
                  </Show>
                )}
              </AgentRows>
            </ul>
          </section>
        </Show>
        <Schedules
          asked={asked()}
          slugs={groups()
            .yours.filter((agent) => agent.isActive && !agent.isSystem && isWellNamed(agent))
            .map(({ slug }) => slug)}
        />
        <ImportAgents area={page} done={again} />
        <Show when={(instructions()?.length ?? 0) > 0}>
          <InstructionFiles
            files={instructions() ?? []}
            busy={busy()}
            use={(path) => one(path, () => nameInMain(path), t.namedInMain(path))}
          />
        </Show>
        <Show when={known() !== null && offered().length > 0}>
          <Templates
            templates={offered()}
            busy={busy()}
            add={(template) => one(template.slug, () => addAgent(template), t.adopted(template.slug))}
          />
        </Show>
        <BuiltIn asked={asked()} busy={busy()} router={props.router} change={(slug, work) => one(slug, work, null)} />
      </div>
    </div>
  );
}
