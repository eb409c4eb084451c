import { onCleanup } from "solid-js";
import { matches, onMac } from "../ui/commands.ts";
import type { Notices } from "../ui/notices.ts";
import type { OpenFile } from "./open-file.ts";
import { onChange } from "../ui/on-change.ts";

/** While the component shows, the save key works wherever the focus is, and problems with the file are announced. */
export function saveByKey(file: Pick<OpenFile, "dirty" | "problem" | "save">, notices: Pick<Notices, "announce">): void {
  const onKey = (event: KeyboardEvent) => {
    if (!matches("Mod+KeyS", event, onMac())) return;
    event.preventDefault();
    if (file.dirty()) void file.save();
  };
  addEventListener("keydown", onKey);
  onCleanup(() => removeEventListener("keydown", onKey));
  onChange(file.problem, (problem) => {
    if (problem !== null) notices.announce(problem);
  });
}
