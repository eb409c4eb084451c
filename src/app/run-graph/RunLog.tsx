import { createMemo, createSignal, For, type JSX, Show } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { AgentNode, RunLogFilter, RunLogRow, RunLogType } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { nearEnd } from "../ui/near-end.ts";
import { Problem, Unread } from "../ui/Problem.tsx";
import { clock } from "../ui/format.ts";
import * as t from "../texts/run-log.ts";
import { entryWords } from "./entry-format.ts";
import { createLogExport } from "./log-export.ts";
import { createRunLog } from "./run-log.ts";
import { onChange } from "../ui/on-change.ts";

const types: readonly RunLogType[] = [
  "activation",
  "tool_call",
  "tool_result",
  "file_change",
  "spawn",
  "signal",
  "warning",
  "error",
  "abort",
  "complete",
];
const tools = [
  "run_command",
  "write_file",
  "edit_file",
  "launch_agent",
  "vfs_read",
  "vfs_list",
  "vfs_write",
  "vfs_delete",
  "spawn_agent",
  "signal_parent",
];
const severities = ["info", "warning", "error"] as const;

export interface RunLogProps {
  readonly run: string;
  /** Only entries before this position in the log; null: all. */
  readonly before: string | null;
  /** Changes, or is the same value set again, whenever there may be new entries. */
  readonly grown: unknown;
  readonly agents: readonly AgentNode[];
  readonly choose: (dialogId: string) => void;
  readonly download: () => void;
}

/** What the agents of a run did, newest first, with filters and an export. Only the rows in view are in the page. */
export function RunLog(props: RunLogProps) {
  const [chosen, setChosen] = createSignal<Readonly<Record<string, string>>>({});
  const filter = createMemo((): RunLogFilter => {
    const { agent, type, tool, severity } = chosen();
    return {
      run: props.run,
      ...(agent === undefined ? {} : { agent }),
      ...(types.some((one) => one === type) ? { types: types.filter((one) => one === type) } : {}),
      ...(tool === undefined ? {} : { tool }),
      ...severityOf(severity),
    };
  });
  /** Includes the chosen agent, which may be from another run. */
  const agentIds = createMemo(() => {
    const { agent } = chosen();
    return [...new Set([...props.agents.map(({ dialogId }) => dialogId), ...(agent === undefined ? [] : [agent])])];
  });
  const log = createRunLog(
    () => ({ filter: filter(), before: props.before }),
    () => props.grown,
  );
  const exporting = createLogExport(() => filter());
  const [list, setList] = createSignal<VListHandle>();
  function look() {
    const shown = list();
    if (shown && nearEnd({ scrollHeight: shown.scrollSize, clientHeight: shown.viewportSize, scrollTop: shown.scrollOffset }))
      void log.loadOlder();
  }
  onChange([log.entries, list], () => {
    requestAnimationFrame(look);
  });
  function choose(name: string, value: string) {
    const { [name]: _, ...rest } = chosen();
    setChosen(value === "" ? rest : { ...rest, [name]: value });
  }
  const nothing = () => {
    if (log.problem() !== null) return "";
    return log.loaded() ? t.none : t.loading;
  };
  return (
    <section class="run-log" aria-label={t.log}>
      <header>
        <h2>{t.log}</h2>
        <div class="run-log-actions">
          <button type="button" class="quiet small" onClick={() => void exporting.exportLog()}>
            {t.exportLog}
          </button>
          <button type="button" class="quiet small" onClick={() => props.download()}>
            {t.download}
          </button>
        </div>
        <fieldset>
          <legend class="unseen">{t.filters}</legend>
          <Choice label={t.agent} choose={(value) => choose("agent", value)}>
            <For each={agentIds()}>
              {(id) => (
                <option value={id} selected={chosen()["agent"] === id}>
                  {visible(slugOf(id))}
                </option>
              )}
            </For>
          </Choice>
          <Choice label={t.type} choose={(value) => choose("type", value)}>
            <For each={types}>{(type) => <option value={type}>{type}</option>}</For>
          </Choice>
          <Choice label={t.tool} choose={(value) => choose("tool", value)}>
            <For each={tools}>{(tool) => <option value={tool}>{tool}</option>}</For>
          </Choice>
          <Choice label={t.severity} choose={(value) => choose("severity", value)}>
            <For each={severities}>{(level) => <option value={level}>{t.severities[level]}</option>}</For>
          </Choice>
        </fieldset>
        <output class="unseen">{exporting.done()}</output>
        <Problem text={exporting.problem()} />
        <Unread text={log.problem() === null ? null : t.notRead(log.problem() ?? "")} again={log.retry} />
      </header>
      <Show when={log.entries().length > 0} fallback={<p class="hint">{nothing()}</p>}>
        <VList
          ref={setList}
          class="run-log-list"
          data={log.entries()}
          tabindex={-1}
          shift={log.grewAtTop() && (list()?.scrollOffset ?? 0) > 40}
          onScroll={look}
        >
          {(entry) => <Row entry={entry} choose={props.choose} />}
        </VList>
      </Show>
    </section>
  );
}

const severityOf = (word: string | undefined): Pick<RunLogFilter, "severity"> => {
  const severity = severities.find((one) => one === word);
  return severity === undefined ? {} : { severity };
};

function Choice(props: { label: string; choose: (value: string) => void; children: JSX.Element }) {
  return (
    <label>
      <span>{props.label}</span>
      <select onChange={(event) => props.choose(event.currentTarget.value)}>
        <option value="">{t.all}</option>
        {props.children}
      </select>
    </label>
  );
}

/** One entry, which opens its agent. */
function Row(props: { entry: RunLogRow; choose: (dialogId: string) => void }) {
  const words = createMemo(() => entryWords(props.entry));
  const iso = () => (props.entry.timestamp === 0 ? "" : new Date(props.entry.timestamp).toISOString());
  return (
    <button
      type="button"
      class={`run-log-row is-${props.entry.severity}`}
      title={words()}
      onClick={() => props.choose(props.entry.dialogId)}
    >
      <time datetime={iso()}>{clock(iso(), {}, true) ?? ""}</time>
      <b>{visible(slugOf(props.entry.dialogId))}</b>
      <span class="run-log-type">
        <Show when={props.entry.severity !== "info"}>
          <span class="run-log-severity">{t.severities[props.entry.severity]}</span>{" "}
        </Show>
        {props.entry.type === props.entry.severity ? "" : props.entry.type}
      </span>
      <span class="run-log-words">{words()}</span>
    </button>
  );
}
