import type { ServerView } from "../../protocol/index.ts";
import { readSandbox } from "../model/api/calls.ts";
import type { EngineEvents } from "../model/api/events.ts";
import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/servers-inside.ts";

export interface ServerParts {
  /** What listens now. */
  readonly tellServers: (servers: readonly ServerView[]) => void;
  /** Shows the page of one. */
  readonly showServer: (port: number) => void;
}

/** Follows the servers in the project's WebContainer, and says when there is a new one: in one notice, about the newest. Returns the way to stop. */
export function startServers(
  events: Pick<EngineEvents, "listeners">,
  notices: Notices,
  { tellServers, showServer }: ServerParts,
): () => void {
  let known: readonly ServerView[] = [];
  /** The message of the notice that shows, and its port. */
  let shown: { readonly message: string; readonly port: number } | null = null;
  let turn = 0;

  function takeBack() {
    for (const notice of notices.list()) if (notice.message === shown?.message) notices.dismiss(notice);
    shown = null;
  }

  async function look() {
    const mine = ++turn;
    const answer = await readSandbox();
    if (!answer.ok || mine !== turn) return;
    const { servers } = answer.value;
    const fresh = servers.filter(({ port }) => !known.some((other) => other.port === port)).at(-1);
    known = servers;
    tellServers(servers);
    if (shown !== null && !servers.some(({ port }) => port === shown?.port)) takeBack();
    if (fresh === undefined) return;
    takeBack();
    const { port } = fresh;
    shown = { message: t.listens(port), port };
    notices.add({ message: shown.message, action: { label: t.open, run: () => showServer(port) } });
  }

  const hear = ({ type }: { readonly type: string }) => {
    if (type === "sandbox" || (type === "hello" && crossOriginIsolated)) void look();
  };
  events.listeners.add(hear);
  // Servers of a tab that was there before this one. Without the isolation there are none.
  if (crossOriginIsolated) void look();
  return () => events.listeners.delete(hear);
}
