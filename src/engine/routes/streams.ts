import type { Hono } from "hono/tiny";
import type { StreamFrame, ViewFrame } from "../api.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Live } from "../dialogs/live.ts";
import { dialogView, headView, messageView } from "../dialogs/view.ts";
import { failure } from "./answers.ts";
import { route } from "./route.ts";
import { type Following, followStream } from "./sse.ts";

/** A dialog can be followed: as its markdown, or as a screen shows it. */
export function streamRoutes(app: Hono, dialogs: Dialogs): void {
  route(app, "/dialog/:id/stream", {
    GET: async ({ url, param }) => {
      const live = await dialogs.get(param("id"));
      if (!live) return failure(404, "Dialog not found");
      if (url.searchParams.get("view") === "parsed") return followStream(viewOf(live));
      const since = url.searchParams.get("since");
      return followStream(markdownOf(live), since === null || Number(since) !== live.revision);
    },
  });
}

function markdownOf(first: Live): Following<StreamFrame> {
  let live = first;
  let known = live.text;
  let status = live.state.status;
  const filename = () => live.path.slice("vibey/".length);
  return {
    start() {
      known = live.text;
      ({ status } = live.state);
      return [{ type: "snapshot", version: live.revision, dialogId: live.id, filename: filename(), status, text: known }];
    },
    watch(changed) {
      const watcher: Parameters<typeof live.watchers.add>[0] = (change) => {
        const version = live.revision;
        if (change.kind === "gone") {
          changed([{ type: "gone", version }], true);
          return;
        }
        if (change.kind === "replaced") {
          live.watchers.delete(watcher);
          live = change.by;
          live.watchers.add(watcher);
          changed(this.start());
          return;
        }
        const frames: StreamFrame[] = [];
        if (live.text !== known) {
          // Streamed text only grows; anything else may have changed in the middle.
          const from = change.kind === "text" ? known.length : commonPrefix(known, live.text);
          frames.push({ type: "patch", version, from, text: live.text.slice(from) });
          known = live.text;
        }
        if (live.state.status !== status) {
          ({ status } = live.state);
          frames.push({ type: "status", version, filename: filename(), status });
        }
        if (frames.length > 0) changed(frames);
      };
      live.watchers.add(watcher);
      return () => live.watchers.delete(watcher);
    },
  };
}

/** The length of what two texts begin with alike, never in the middle of a surrogate pair. */
function commonPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const last = at > 0 ? one.charCodeAt(at - 1) : 0;
  return last >= 0xd800 && last < 0xdc00 ? at - 1 : at;
}

function viewOf(first: Live): Following<ViewFrame> {
  let live = first;
  let sent: readonly unknown[] = [];
  let head = "";
  return {
    start() {
      const dialog = dialogView(live);
      sent = dialog.messages;
      head = JSON.stringify(headView(live));
      return [{ type: "dialog", version: live.revision, dialog }];
    },
    watch(changed) {
      const watcher: Parameters<typeof live.watchers.add>[0] = (change) => {
        const version = live.revision;
        if (change.kind === "gone") {
          changed([{ type: "gone", version }], true);
          return;
        }
        if (change.kind === "replaced") {
          live.watchers.delete(watcher);
          live = change.by;
          live.watchers.add(watcher);
          changed(this.start());
          return;
        }
        const { length } = live.state.dialog.sections;
        if (length < sent.length) {
          changed(this.start());
          return;
        }
        if (change.kind === "text" && length === sent.length) {
          const index = length - 1;
          const message = messageView(live, index);
          sent = [...sent.slice(0, -1), message];
          const part = message.parts.findLastIndex(({ kind }) => kind === "text");
          changed([{ type: "text", version, index, part, text: change.piece.text }]);
          return;
        }
        const frames: ViewFrame[] = [];
        const now = Array.from({ length }, (_, index) => messageView(live, index));
        now.forEach((message, index) => {
          if (message !== sent[index]) frames.push({ type: "message", version, index, message });
        });
        sent = now;
        const newHead = headView(live);
        const text = JSON.stringify(newHead);
        if (text !== head) frames.push({ type: "head", version, head: newHead });
        head = text;
        if (frames.length > 0) changed(frames);
      };
      live.watchers.add(watcher);
      return () => live.watchers.delete(watcher);
    },
  };
}
