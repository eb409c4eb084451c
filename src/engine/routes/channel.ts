import type { Live, LiveChange } from "../dialogs/live.ts";
import type { Following } from "./sse.ts";

/** A form in which a dialog can be followed, such as its Markdown. */
export interface Form<F extends object> {
  /** The frames for a reader that knows nothing yet. */
  start(live: Live): readonly F[];
  /** Starts following the dialog. For each change, the returned function gives the frames that update a reader that knows everything before. */
  follow(live: Live): (change: Growth) => readonly F[];
  readonly channels: WeakMap<Live, Channel<F>>;
}

export type Growth = Extract<LiveChange, { kind: "text" | "state" | "output" }>;
export type Gone = { readonly type: "gone"; readonly version: number };

/** All readers that follow one dialog in one form. Their frames are created only once. */
interface Channel<F> {
  start(): readonly F[];
  /** Returns a function that leaves the channel. */
  join(reader: (news: News<F>) => void): () => void;
}

type News<F> =
  | { readonly kind: "frames"; readonly frames: readonly F[] }
  | { readonly kind: "replaced"; readonly by: Live }
  | { readonly kind: "gone"; readonly frames: readonly Gone[] };

/** Follows a dialog until it is deleted, even if its file is written again. */
export function followDialog<F extends object>(live: Live, form: Form<F>): Following<F | Gone> {
  let channel = channelOf(live, form);
  return {
    start: () => channel.start(),
    watch(changed) {
      const reader = (news: News<F>) => {
        switch (news.kind) {
          case "frames":
            changed(news.frames);
            break;
          case "replaced":
            leave();
            channel = channelOf(news.by, form);
            leave = channel.join(reader);
            changed(channel.start());
            break;
          case "gone":
            changed(news.frames, true);
            break;
        }
      };
      let leave = channel.join(reader);
      return () => leave();
    },
  };
}

function channelOf<F extends object>(live: Live, form: Form<F>): Channel<F> {
  const known = form.channels.get(live);
  if (known) return known;
  const channel = createChannel(live, form);
  form.channels.set(live, channel);
  return channel;
}

function createChannel<F extends object>(live: Live, form: Form<F>): Channel<F> {
  const readers = new Set<(news: News<F>) => void>();
  let framesOf: (change: Growth) => readonly F[] = () => [];
  /** The last start, for other readers that start at the same moment. A weak reference, because it is as large as the dialog. */
  let started: { readonly revision: number; readonly frames: WeakRef<readonly F[]> } | null = null;

  const watcher = (change: LiveChange) => {
    const news = newsOf(change);
    if (news) for (const reader of readers) reader(news);
  };
  const newsOf = (change: LiveChange): News<F> | null => {
    switch (change.kind) {
      case "replaced":
        return change;
      case "gone":
        return { kind: "gone", frames: [{ type: "gone", version: live.revision }] };
      default: {
        const frames = framesOf(change);
        return frames.length > 0 ? { kind: "frames", frames } : null;
      }
    }
  };

  return {
    start() {
      const known = started?.revision === live.revision ? started.frames.deref() : undefined;
      if (known) return known;
      const frames = form.start(live);
      started = { revision: live.revision, frames: new WeakRef(frames) };
      return frames;
    },
    join(reader) {
      if (readers.size === 0) {
        framesOf = form.follow(live);
        live.watchers.add(watcher);
      }
      readers.add(reader);
      return () => {
        readers.delete(reader);
        if (readers.size === 0) live.watchers.delete(watcher);
      };
    },
  };
}
