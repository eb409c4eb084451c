import { Show } from "solid-js";
import type { AgentNode, FileNode } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { money } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { moment } from "../ui/words.ts";
import { number } from "../ui/sizes.ts";
import * as t from "../texts/studio.ts";
import { Mark } from "./marks.tsx";
import { fileRoute } from "./places.ts";

/** What is known of one agent, with the ways to its dialog and its file. */
export function AgentInspector(props: { agent: AgentNode; choose: (id: string) => void }) {
  return (
    <>
      <header class="inspector-head">
        <span class="face" aria-hidden="true">
          {slugOf(props.agent.dialogId).slice(0, 1).toUpperCase()}
        </span>
        <div>
          <h2>
            <Visible text={slugOf(props.agent.dialogId)} />
          </h2>
          <p class={`agent-state is-${props.agent.state}`}>
            <Mark state={props.agent.state} />
            {t.states[props.agent.state]}
          </p>
        </div>
      </header>
      <dl class="facts">
        <Show when={props.agent.parent}>
          {(parent) => (
            <div>
              <dt>{t.launchedBy}</dt>
              <dd>
                <button type="button" class="link" onClick={() => props.choose(parent())}>
                  <Visible text={slugOf(parent())} />
                </button>
                , {t.depth(props.agent.depth)}
              </dd>
            </div>
          )}
        </Show>
        <Show when={props.agent.agentId}>
          {(path) => (
            <div>
              <dt>{t.definition}</dt>
              <dd>
                <a href={formatRoute(fileRoute(path()))}>
                  <Visible text={path()} />
                </a>
              </dd>
            </div>
          )}
        </Show>
        <Show when={moment(props.agent.since)}>
          {(since) => (
            <div>
              <dt>{t.since}</dt>
              <dd>{since()}</dd>
            </div>
          )}
        </Show>
        <div>
          <dt>{t.tokens}</dt>
          <dd>{props.agent.tokens === null ? t.unknown : number(props.agent.tokens)}</dd>
        </div>
        <div>
          <dt>{t.cost}</dt>
          <dd>{props.agent.nanos === null ? t.unknown : money(props.agent.nanos)}</dd>
        </div>
      </dl>
      <p>
        <a class="action tonal" href={formatRoute({ tab: "dialogs", dialogId: props.agent.dialogId })}>
          {t.openDialog}
        </a>
      </p>
    </>
  );
}

/** What is known of one file in this run. */
export function FileInspector(props: { file: FileNode; choose: (id: string) => void }) {
  return (
    <>
      <header class="inspector-head">
        <h2>
          <Visible text={props.file.path} />
        </h2>
      </header>
      <dl class="facts">
        <Show when={props.file.createdBy} fallback={<p class="hint">{t.readOnly}</p>}>
          {(creator) => (
            <div>
              <dt>{t.createdBy}</dt>
              <dd>
                <button type="button" class="link" onClick={() => props.choose(creator())}>
                  <Visible text={slugOf(creator())} />
                </button>
              </dd>
            </div>
          )}
        </Show>
        <Show when={moment(props.file.createdAt)}>
          {(at) => (
            <div>
              <dt>{t.createdAt}</dt>
              <dd>{at()}</dd>
            </div>
          )}
        </Show>
        <Show when={moment(props.file.updatedAt)}>
          {(at) => (
            <div>
              <dt>{t.updatedAt}</dt>
              <dd>{at()}</dd>
            </div>
          )}
        </Show>
        <div>
          <dt>{t.versions}</dt>
          <dd>{number(props.file.versions)}</dd>
        </div>
      </dl>
      <p>
        <a class="action tonal" href={formatRoute(fileRoute(props.file.path))}>
          {t.openFile}
        </a>
      </p>
    </>
  );
}
