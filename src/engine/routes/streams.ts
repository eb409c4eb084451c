import type { Hono } from "hono/tiny";
import type { StreamFrame, ViewFrame } from "../api.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Live, LiveChange } from "../dialogs/live.ts";
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
      if (url.searchParams.get("view") === "parsed") return followStream(follow(live, viewReader()));
      const since = url.searchParams.get("since");
      return followStream(follow(live, markdownReader(live)), since === null || Number(since) !== live.revision);
    },
  });
}

/** What one reader has been told, and what it is to be told next. */
interface Reader<F> {
  /** The frames for one who knows nothing. */
  start(live: Live): readonly F[];
  /** The frames that bring one who knows all so far up to date. */
  change(live: Live, change: Extract<LiveChange, { kind: "text" | "state" }>): readonly F[];
}

/** Follows a dialog to its end, also when its file is written anew. */
function follow<F>(first: Live, reader: Reader<F>): Following<F | { type: "gone"; version: number }> {
  let live = first;
  return {
    start: () => reader.start(live),
    watch(changed) {
      const watcher = (change: LiveChange) => {
        switch (change.kind) {
          case "gone":
            changed([{ type: "gone", version: live.revision }], true);
            break;
          case "replaced":
            live.watchers.delete(watcher);
            live = change.by;
            live.watchers.add(watcher);
            changed(reader.start(live));
            break;
          default: {
            const frames = reader.change(live, change);
            if (frames.length > 0) changed(frames);
          }
        }
      };
      live.watchers.add(watcher);
      return () => live.watchers.delete(watcher);
    },
  };
}

function markdownReader(first: Live): Reader<StreamFrame> {
  let known = first.text;
  let { status } = first.state;
  const filename = (live: Live) => live.path.slice("vibey/".length);
  return {
    start(live) {
      known = live.text;
      ({ status } = live.state);
      return [{ type: "snapshot", version: live.revision, dialogId: live.id, filename: filename(live), status, text: known }];
    },
    change(live, { kind }) {
      const version = live.revision;
      const frames: StreamFrame[] = [];
      if (live.text !== known) {
        // Streamed text only grows; anything else may have changed in the middle.
        const from = kind === "text" ? known.length : commonPrefix(known, live.text);
        frames.push({ type: "patch", version, from, text: live.text.slice(from) });
        known = live.text;
      }
      if (live.state.status !== status) {
        ({ status } = live.state);
        frames.push({ type: "status", version, filename: filename(live), status });
      }
      return frames;
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

function viewReader(): Reader<ViewFrame> {
  let sent: readonly unknown[] = [];
  let head = "";
  return {
    start(live) {
      const dialog = dialogView(live);
      sent = dialog.messages;
      head = JSON.stringify(headView(live));
      return [{ type: "dialog", version: live.revision, dialog }];
    },
    change(live, change) {
      const version = live.revision;
      const { length } = live.state.dialog.sections;
      if (length < sent.length) return this.start(live);
      if (change.kind === "text" && length === sent.length) {
        const index = length - 1;
        const message = messageView(live, index);
        sent = [...sent.slice(0, -1), message];
        const part = message.parts.findLastIndex(({ kind }) => kind === "text");
        return [{ type: "text", version, index, part, text: change.piece.text }];
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
      return frames;
    },
  };
}
