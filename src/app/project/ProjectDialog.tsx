import { Show } from "solid-js";
import type { EngineEvents } from "../api/events.ts";
import type { ProjectTask } from "../shell/project.ts";
import { ExportDialog } from "./ExportDialog.tsx";
import { ImportDialog } from "./ImportDialog.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./project.css";

/** What a person does with the project as a whole, until it is done. */
export default function ProjectDialog(props: {
  task: ProjectTask;
  events: EngineEvents;
  close: () => void;
  announce: (text: string) => void;
}) {
  const scope = () => props.task.kind === "export" && props.task.scope;
  return (
    <Show
      when={scope()}
      fallback={<ImportDialog events={props.events} file={props.task.kind === "import" ? props.task.file : null} close={props.close} />}
    >
      {(wanted) => <ExportDialog events={props.events} scope={wanted()} close={props.close} announce={props.announce} />}
    </Show>
  );
}
