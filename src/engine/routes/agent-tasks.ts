import { taskRows, type TaskState } from "../agents/task-rows.ts";
import { mentionsOf } from "../../dialog/replies.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { failure, json } from "./answers.ts";
import { route, type Routes } from "./route.ts";

/** The tasks that a dialog's messages gave to agents, as a table. */
export function taskRoutes(app: Routes, dialogs: Pick<Dialogs, "get">): void {
  route(app, "/agents/tasks", {
    GET: async ({ url }) => {
      const id = url.searchParams.get("dialog");
      if (id === null || id === "") return failure(400, "dialog: expected the id of a dialog");
      const live = await dialogs.get(id);
      if (live === null) return failure(404, "Dialog not found");
      const { dialog } = live.state;
      const tasks = new Map<string, TaskState>();
      for (const { dialogId } of dialog.sections.flatMap(mentionsOf)) tasks.set(dialogId, (await dialogs.get(dialogId))?.state ?? null);
      return json(taskRows(id, dialog, (dialogId) => tasks.get(dialogId) ?? null));
    },
  });
}
