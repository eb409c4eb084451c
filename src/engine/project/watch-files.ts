import type { Actor } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import type { EventBus } from "../events.ts";
import { isStreamed } from "../dialogs/streamed.ts";

/** Reports changed files. Streamed text of a dialog is reported by the dialog itself. */
export function watchFiles(files: Pick<Files, "watch">, bus: EventBus): void {
  const tell = (path: string, change: "changed" | "removed", actor: Actor) => {
    const name = path.startsWith("vibey/") ? path.slice("vibey/".length) : null;
    if (name === null) bus.emit({ type: "deed", data: { path, change } }, { actor });
    else bus.emit({ type: "file", data: { name, change } }, { actor });
  };
  files.watch((events) => {
    for (const event of events) {
      switch (event.kind) {
        case "changed":
          if (isStreamed(event)) break;
          tell(event.path, "changed", event.by);
          break;
        case "removed":
          tell(event.path, "removed", event.by);
          break;
        case "renamed":
          tell(event.from, "removed", event.by);
          tell(event.to, "changed", event.by);
          break;
      }
    }
  });
}
