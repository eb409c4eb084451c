import type { StreamFrame, ViewFrame } from "../../protocol/index.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Live } from "../dialogs/live.ts";
import { dialogView, headView, messageView, partCount } from "../projections/view.ts";
import { firstDifference, lastSection, sectionCount } from "../../dialog/sections.ts";
import { lastAnswer } from "../turn/machine/queries.ts";
import { failure } from "./answers.ts";
import { type Form, followDialog } from "./channel.ts";
import { route, type Routes } from "./route.ts";
import { followStream } from "./sse.ts";

/** Follows a dialog, as its Markdown or as a screen shows it. */
export function streamRoutes(app: Routes, dialogs: Dialogs): void {
  route(app, "/dialog/:id/stream", {
    GET: async ({ url, param }) => {
      const live = await dialogs.get(param("id"));
      if (!live) return failure(404, "Dialog not found");
      if (url.searchParams.get("view") === "parsed") return followStream(followDialog(live, parsed));
      const since = url.searchParams.get("since");
      return followStream(followDialog(live, markdown), since === null || Number(since) !== live.revision);
    },
  });
}

const markdown: Form<StreamFrame> = {
  channels: new WeakMap(),
  start: (live) => [
    { type: "snapshot", version: live.revision, dialogId: live.id, filename: nameOf(live), status: live.state.status, text: live.text },
  ],
  follow(live) {
    let { status } = live.state;
    return (change) => {
      const version = live.revision;
      const from = change.kind === "output" ? undefined : change.from;
      const frames: StreamFrame[] = [];
      if (from !== undefined) frames.push({ type: "patch", version, from, text: live.file.from(from) });
      if (live.state.status !== status) {
        ({ status } = live.state);
        frames.push({ type: "status", version, filename: nameOf(live), status });
      }
      return frames;
    };
  },
};

const parsed: Form<ViewFrame> = {
  channels: new WeakMap(),
  start: (live) => [{ type: "dialog", version: live.revision, dialog: dialogView(live) }],
  follow(live) {
    let told = live.state.dialog;
    let before = besides(live);
    let head = JSON.stringify(headView(live));
    return (change) => {
      const version = live.revision;
      if (change.kind === "output") return [{ type: "output", version, callId: change.callId, ...change.output }];
      const { dialog } = live.state;
      const count = sectionCount(dialog);
      const index = count - 1;
      const earlier = told;
      told = dialog;
      if (count < sectionCount(earlier)) return parsed.start(live);
      if (change.kind === "text") {
        const { text, starts } = change.piece;
        const [section, was] = [lastSection(dialog), lastSection(earlier)];
        if (text === "" || section === undefined) return [];
        // A text that starts after another text becomes part of it.
        const goesOn = starts && section.parts.length === was?.parts.length;
        return [{ type: "text", version, index, part: partCount(section) - 1, text: goesOn ? `\n\n${text}` : text }];
      }
      const changed = new Set<number>();
      for (let at = firstDifference(earlier, dialog); at < count; at++) changed.add(at);
      const pending = besides(live);
      // What a call would replace is shown next to the call, but isn't part of a section.
      if (!same(pending, before)) changed.add(lastAnswer(dialog));
      before = pending;
      const frames: ViewFrame[] = [...changed]
        .filter((at) => at >= 0)
        .map((at) => ({ type: "message", version, index: at, message: messageView(live, at) }));
      const now = headView(live);
      const text = JSON.stringify(now);
      if (text !== head) frames.push({ type: "head", version, head: now });
      head = text;
      return frames;
    };
  },
};

type Beside = readonly (readonly [callId: string, what: string | number])[];

/** What is shown next to pending calls: the text or line that they would replace, and the patterns that would allow similar calls. */
const besides = (live: Live): Beside => [
  ...live.before,
  ...live.lines,
  ...Array.from(live.patterns, ([id, choices]) => [id, JSON.stringify(choices)] as const),
];

function same(one: Beside, other: Beside): boolean {
  return one.length === other.length && one.every(([id, what], at) => id === other[at]?.[0] && what === other[at]?.[1]);
}

function nameOf(live: Live): string {
  return live.path.slice("vibey/".length);
}
