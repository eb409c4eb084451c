import { createSignal, Show, Suspense } from "solid-js";
import type { AgentView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { type Answer, ask, encodePath } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import * as t from "../texts/agents-page.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Modal } from "../ui/Modal.tsx";
import { Problem } from "../ui/Problem.tsx";
import { abilitiesOf } from "./abilities.ts";
import { adoptAgent, readAgent } from "./load.ts";
import { Notes } from "./Notes.tsx";

const Diff = lazyPart(() => import("../calls/Diff.tsx"));

/** Rows of a diff that show before the reader asks for the rest. */
const shownRows = 400;

export interface AdoptDialogProps {
  /** The agent in a file of another program. */
  readonly found: AgentView;
  /** The user's agent with that name, which would be replaced; null: there is none. */
  readonly own: AgentView | null;
  readonly close: () => void;
  readonly adopted: () => void;
}

/** What adopting a found agent would change, before it does. */
export default function AdoptDialog(props: AdoptDialogProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const texts = createLatest(
    () => ({ found: props.found, own: props.own }),
    async ({ found, own }): Promise<Answer<{ readonly before: string | null; readonly after: string }>> => {
      const after = await ask(`deed/${encodePath(found.path)}`, (response) => response.text());
      if (!after.ok) return after;
      const before = own === null ? null : await readAgent(own.slug);
      if (before?.ok === false) return before;
      return { ...after, value: { before: before?.value.text ?? null, after: after.value } };
    },
  );
  const both = () => {
    const now = texts();
    return now?.ok === true ? now.value : null;
  };
  const unread = () => {
    const now = texts();
    return now?.ok === false ? t.notShown(now.message) : null;
  };
  const modelOf = ({ model }: AgentView) => model ?? t.usualModel;
  const change = (of: (agent: AgentView) => string): string => {
    const after = of(props.found);
    const before = props.own === null ? after : of(props.own);
    return before === after ? after : t.fromTo(before, after);
  };
  const capabilities = () => {
    const all = [props.found, props.own].flatMap((agent) => agent?.capabilities ?? []);
    return all.length === 0 ? "" : change((agent) => agent.capabilities.join(", ") || t.nothingNamed);
  };
  const notes = () => [...props.found.problems, ...props.found.unused.map(({ key, why }) => `${key}: ${why}`)];
  async function adopt() {
    setBusy(true);
    const done = await adoptAgent(props.found, props.own);
    setBusy(false);
    if (!done.ok) return setProblem(t.failed(props.found.slug, done.message));
    props.adopted();
    return props.close();
  }
  return (
    <Modal title={(props.own === null ? t.adoptTitle : t.adoptOverTitle)(props.found.slug)} close={props.close}>
      <p>
        <Visible text={(props.own === null ? t.adoptHint : t.adoptOverHint)(props.found.path)} />
      </p>
      <dl class="adopt-changes">
        <dt>{t.asks}</dt>
        <dd>{change(({ tools }) => abilitiesOf(tools))}</dd>
        <dt>{t.usesModel}</dt>
        <dd>
          <Visible text={change(modelOf)} />
        </dd>
        <Show when={capabilities() !== ""}>
          <dt>{t.isGoodAt}</dt>
          <dd>
            <Visible text={capabilities()} />
          </dd>
        </Show>
      </dl>
      <Show when={notes().length > 0}>
        <Notes notes={notes()} />
      </Show>
      <h3>{props.own === null ? t.fileText : t.fileChange}</h3>
      <Show when={both()} fallback={<p class="hint">{unread() === null ? t.loading : ""}</p>}>
        {(two) => (
          <Suspense fallback={<p class="hint">{t.loading}</p>}>
            <Diff before={two().before} after={two().after} first={1} longest={shownRows} />
          </Suspense>
        )}
      </Show>
      <Problem text={problem() ?? unread()} />
      <div class="buttons">
        <button type="button" class="primary" disabled={busy() || both() === null} onClick={() => void adopt()}>
          {t.adopt}
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          {props.own === null ? t.cancel : t.keepYours}
        </button>
      </div>
    </Modal>
  );
}
