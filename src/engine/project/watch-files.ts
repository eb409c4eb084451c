import type { Files } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import type { EventBus } from "../events.ts";
import { parseDialogFilename } from "../../dialog/name.ts";

/** Tells of files that change. A dialog's own growth is told by the dialog. */
export function watchFiles(files: Pick<Files, "watch">, bus: EventBus): void {
  const tell = (path: string, change: "changed" | "removed", by: string) => {
    const name = path.startsWith("vibey/") ? path.slice("vibey/".length) : null;
    if (name === null) bus.emit({ type: "deed", path, change, by });
    else bus.emit({ type: "file", name, change, by });
  };
  files.watch((events) => {
    for (const event of events) {
      switch (event.kind) {
        case "changed": {
          const name = nameOf(event.path);
          if (name !== null && parseDialogFilename(name) && event.by === "engine") break;
          tell(event.path, "changed", event.by);
          break;
        }
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
