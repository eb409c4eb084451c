import { Match, Switch } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import type { ProjectTask } from "../model/project.ts";
import { ExportDialog } from "./ExportDialog.tsx";
import { ImportDialog } from "./ImportDialog.tsx";
import { NewProjectDialog } from "./NewProjectDialog.tsx";
import { ProjectsDialog } from "./ProjectsDialog.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./project.css";
import { lazyPart } from "../ui/lazy-part.tsx";

const GuideDialog = lazyPart(() => import("../guide/GuideDialog.tsx"));

/** A task for the project as a whole, until it is done. */
export default function ProjectDialog(props: {
  task: ProjectTask;
  events: EngineEvents;
  close: () => void;
  announce: (text: string) => void;
  /** Called when the list of projects has changed. */
  changed: () => void;
}) {
  const scope = () => props.task.kind === "export" && props.task.scope;
  const zip = () => (props.task.kind === "import" ? props.task.file : null);
  return (
    <Switch>
      <Match when={scope()}>
        {(wanted) => <ExportDialog events={props.events} scope={wanted()} close={props.close} announce={props.announce} />}
      </Match>
      <Match when={props.task.kind === "import"}>
        <ImportDialog events={props.events} file={zip()} close={props.close} />
      </Match>
      <Match when={props.task.kind === "new"}>
        <NewProjectDialog close={props.close} />
      </Match>
      <Match when={props.task.kind === "projects"}>
        <ProjectsDialog close={props.close} changed={props.changed} />
      </Match>
      <Match when={props.task.kind === "guide"}>
        <GuideDialog close={props.close} />
      </Match>
    </Switch>
  );
}
