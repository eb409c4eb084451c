import { createSignal, createUniqueId, onCleanup, Show } from "solid-js";
import type { AgentAnswer } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import type { OpenFile } from "../docs/open-file.ts";
import type { Answer } from "../model/api/calls.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/agent-form.ts";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import { type AgentFile, changeKey, type KeyChange } from "./change-key.ts";
import { Checkbox } from "./Checkbox.tsx";
import { ModelField, TextField } from "./FormFields.tsx";
import { activeChange, readAgent } from "./load.ts";
import { hasGroup } from "./tool-groups.ts";
import { ToolChecks } from "./ToolChecks.tsx";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./agent-form.css";

/** UTF-16 units from which a prompt counts as long. */
const longPrompt = 8_000;

/** Stays the same from one agent to the next. */
const [open, setOpen] = createSignal(false);

export interface AgentFormProps {
  readonly slug: string;
  /** The name of the doc. */
  readonly name: string;
  readonly file: OpenFile;
  readonly notices: Notices;
}

/** The front matter of an agent's file, as fields above its text. A single row until it is opened. */
export default function AgentForm(props: AgentFormProps) {
  const id = createUniqueId();
  // Each form is for one file.
  // oxlint-disable-next-line solid/reactivity
  const { slug, name, file, notices } = props;
  const path = `vibey/${name}`;
  const agentFile: AgentFile = { open: file, key: file.key() ?? "", path, slug };
  const [answer, setAnswer] = createSignal<Answer<AgentAnswer> | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);

  let asked = 0;
  let shown = 0;
  async function read() {
    const mine = ++asked;
    const now = await readAgent(slug);
    if (mine < shown) return;
    shown = mine;
    setAnswer(now);
  }
  // The same text in another version may be interpreted differently.
  onChange(file.saved, () => void read());

  const agent = () => {
    const now = answer();
    return now?.ok === true && now.value.path === path ? now.value : null;
  };
  const unread = () => {
    const now = answer();
    if (now === null) return null;
    if (now.ok) return now.value.path === path ? null : t.sameName(now.value.path);
    return now.kind === "missing" ? null : t.notRead(now.message);
  };

  let isThere = true;
  onCleanup(() => {
    isThere = false;
  });
  /** Changes run one after another, so that each starts from the result of the last. */
  let last: Promise<unknown> = Promise.resolve();
  async function work(one: KeyChange): Promise<boolean> {
    setProblem(null);
    const { isDone, problem: why } = await changeKey(agentFile, one);
    if (isThere) {
      await read();
      setProblem(why);
    } else if (why !== null) notices.add({ message: why });
    if (isDone && why === null) notices.announce(t.changed(one.label));
    return isDone;
  }
  function change(one: KeyChange): Promise<boolean> {
    const mine = last.then(() => work(one));
    last = mine;
    return mine;
  }
  const activate = (isActive: boolean) =>
    change({
      label: t.active,
      compute: (now) => (now.isActive === isActive ? null : activeChange(isActive)),
      isApplied: (after) => after.isActive === isActive,
    });

  return (
    <>
      <Show when={agent()}>
        {(now) => (
          <section aria-label={t.form}>
            <details open={open()} onToggle={(event) => setOpen(event.currentTarget.open)}>
              <summary>
                <span class="agent-facts">
                  <b>
                    <Visible text={now().displayName} />
                  </b>
                  <Visible text={` · ${summaryOf(now())}`} />
                </span>
                <Show when={!now().isSystem}>
                  <span class="agent-state" classList={{ off: !now().isActive }}>
                    {now().isActive ? t.isActive : t.isOff}
                  </span>
                </Show>
              </summary>
              <form aria-label={t.form} onSubmit={(event) => event.preventDefault()}>
                <TextField
                  label={t.name}
                  value={now().displayName}
                  change={change}
                  of={({ displayName }) => displayName}
                  to={(text) => ({ display_name: text })}
                  // Without the key, the name comes from the file's name.
                  mayBecome
                />
                <ModelField value={now().model ?? ""} change={change} />
                <TextField
                  label={t.description}
                  long
                  value={now().description}
                  change={change}
                  of={({ description }) => description}
                  to={(text) => ({ description: text })}
                />
                <Show when={!now().isSystem}>
                  <ToolChecks tools={now().tools} change={change} />
                  <div class="agent-active">
                    <Checkbox label={t.active} isSwitch isOn={now().isActive} describedBy={`${id}-active`} choose={activate} />
                    <p id={`${id}-active`} class="hint">
                      {t.activeHint}
                    </p>
                  </div>
                </Show>
                <Show when={now().body.length > longPrompt}>
                  <p class="agent-more hint">{t.longPrompt(longPrompt)}</p>
                </Show>
                <p class="agent-more">
                  <a href={formatRoute({ tab: "agents", versions: { slug, version: null } })}>{t.versions}</a>
                </p>
                <Show when={now().problems.length + now().unused.length > 0}>
                  <p class="agent-more">
                    <a href={formatRoute({ tab: "agents" })}>{t.notes(now().problems.length, now().unused.length)}</a>
                  </p>
                </Show>
              </form>
            </details>
          </section>
        )}
      </Show>
      <Problem text={problem() ?? unread()} />
    </>
  );
}

function summaryOf({ isSystem, model, tools, problems }: AgentAnswer): string {
  const has = (group: Parameters<typeof hasGroup>[1]) => hasGroup(tools, group) !== "none";
  const does = t.does(tools === null ? null : { read: has("read"), write: has("write"), run: has("run"), launch: has("launch") });
  return [model, isSystem ? t.isSystem : does, problems.length > 0 ? t.problems(problems.length) : null]
    .filter((fact) => fact !== null)
    .join(" · ");
}
