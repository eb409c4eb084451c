import { createSignal, For, Show } from "solid-js";
import type { ToolPermissionRow } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { mainDoc } from "../docs/names.ts";
import { createLatest } from "../model/api/latest.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/agent-permissions.ts";
import { Levels } from "./Levels.tsx";
import { readToolPermissions } from "./load.ts";

const main = formatRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } });

/**
 * What an agent may do in a dialog started with it now, and which lines say so. `asked`: increases when files have changed. `changed`: called when
 * main has changed.
 */
export function ToolPermissions(props: { slug: string; asked: number; changed: () => void }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details class="agent-permissions" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.toolPermissions}</summary>
      <Show when={open()}>
        <Rows slug={props.slug} asked={props.asked} changed={() => props.changed()} />
      </Show>
    </details>
  );
}

function Rows(props: { slug: string; asked: number; changed: () => void }) {
  const answer = createLatest(
    () => [props.slug, props.asked] as const,
    ([slug]) => readToolPermissions(slug),
  );
  const rows = () => {
    const now = answer();
    return now?.ok ? now.value : [];
  };
  const failure = () => {
    const now = answer();
    return now?.ok === false ? now.message : null;
  };
  return (
    <>
      <Show when={failure()}>{(why) => <p class="problem">{t.notRead(why())}</p>}</Show>
      <dl>
        <For each={rows()}>
          {(row) => (
            <div>
              <dt>{t.tools[row.tool] ?? row.tool}</dt>
              <dd>
                {t.may(row)}
                <Show when={row.within}>{(paths) => <Visible text={` ${t.within(paths())}`} />}</Show>
                <Lines row={row} />
              </dd>
            </div>
          )}
        </For>
      </dl>
      <Levels asked={props.asked} changed={() => props.changed()} />
    </>
  );
}

/** The lines of main that allow something. */
function Lines(props: { row: ToolPermissionRow }) {
  return (
    <For each={props.row.lines}>
      {({ line, value }, at) => (
        <>
          {at() > 0 ? ", " : " "}
          <Show when={props.row.may === "run-some"}>
            <code>
              <Visible text={value} />
            </code>{" "}
          </Show>
          <a href={main}>{t.mainLine(line)}</a>
        </>
      )}
    </For>
  );
}
