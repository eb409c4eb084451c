import type { ServerView } from "../../protocol/index.ts";
import { readSandbox } from "../model/api/calls.ts";
import type { EngineEvents } from "../model/api/events.ts";
import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/servers-inside.ts";

export interface ServerParts {
  /** Reports the current servers. */
  readonly tellServers: (servers: readonly ServerView[]) => void;
  /** Shows the page of a server. */
  readonly showServer: (server: ServerView) => void;
}

/** Each dialog has its own ports; a WebContainer has one set of ports. */
const same = (a: ServerView, b: ServerView) =>
  a.port === b.port && (a.url === null ? a.owner?.dialogId : null) === (b.url === null ? b.owner?.dialogId : null);

/** Follows the servers that commands start, and announces new ones: in a single notice about the newest. Returns a function that stops it. */
export function startServers(
  events: Pick<EngineEvents, "listeners">,
  notices: Notices,
  { tellServers, showServer }: ServerParts,
): () => void {
  let known: readonly ServerView[] = [];
  /** The visible notice, and its server. */
  let shown: { readonly message: string; readonly server: ServerView } | null = null;
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
    const fresh = servers.filter((server) => !known.some((other) => same(other, server))).at(-1);
    known = servers;
    tellServers(servers);
    if (shown !== null && !servers.some((server) => shown !== null && same(server, shown.server))) takeBack();
    if (fresh === undefined) return;
    takeBack();
    const { port, url } = fresh;
    shown = { message: url === null ? t.started : t.listens(port), server: fresh };
    notices.add({ message: shown.message, action: { label: url === null ? t.openLocal(port) : t.open, run: () => showServer(fresh) } });
  }

  const hear = ({ type }: { readonly type: string }) => {
    if (type === "sandbox" || type === "hello") void look();
  };
  events.listeners.add(hear);
  // Finds servers of a tab that was open before this one.
  void look();
  return () => events.listeners.delete(hear);
}
