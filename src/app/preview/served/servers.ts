import type { ServerView } from "../../../protocol/index.ts";
import type { Site } from "./server-calls.ts";

/** What tells a server from the others: each dialog has ports of its own. */
export const keyOf = (server: ServerView | null): string | null => server && `${siteOf(server)?.dialogId ?? ""}:${server.port}`;

/** Where it is asked; null: it listens in a WebContainer, and its page comes by itself. */
export const siteOf = ({ url, port, owner }: ServerView): Site | null =>
  url === null && owner !== null ? { dialogId: owner.dialogId, port } : null;
