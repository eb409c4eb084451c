import { onCleanup, onMount } from "solid-js";
import { kept, unkeep } from "../ui/keep.ts";
import type { ProjectTask } from "../model/project.ts";
import * as t from "../texts/begin.ts";
import { type Beginning, begin, type BeginParts } from "./begin.ts";

export interface WelcomePageProps extends BeginParts {
  readonly task: (task: ProjectTask) => void;
}

/** The unsent text, which public/first.js keeps. */
const textKey = "vibey own text";

/** Takes over the page in index.html: its buttons work from now on, and presses from before are handled. */
export default function WelcomePage(props: WelcomePageProps) {
  onMount(() => {
    const page = document.getElementById("welcome");
    const field = page?.querySelector("textarea");
    const problem = page?.querySelector<HTMLElement>("[role=alert]");
    if (!page || !field || !problem) throw new Error("index.html has no welcome page");
    const stop = new AbortController();
    onCleanup(() => stop.abort());
    let busy = false;

    async function start(wanted: Beginning) {
      if (busy) return;
      busy = true;
      problem!.textContent = "";
      page!.setAttribute("aria-busy", "true");
      const why = await begin(wanted, props).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      page!.removeAttribute("aria-busy");
      busy = false;
      if (why !== null) problem!.textContent = t.notBegun(why);
      else if (wanted.kind === "own") {
        field!.value = "";
        unkeep(textKey);
      }
    }
    function press(what: string | undefined) {
      if (what === "demo") void start({ kind: "demo" });
      if (what === "own" && field!.value.trim() !== "") void start({ kind: "own", text: field!.value });
      if (what === "guide") props.task({ kind: "guide" });
      if (what === "open") props.task({ kind: "import", file: null });
    }
    const how = { signal: stop.signal };
    page.addEventListener(
      "click",
      (event) => {
        const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-do]") : null;
        if (pressed === null) return;
        event.stopPropagation();
        press(pressed.dataset["do"]);
      },
      how,
    );
    page.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        event.stopPropagation();
        press("own");
      },
      how,
    );
    if (field.value === "") field.value = kept(textKey) ?? "";

    // A button that was pressed before this code had loaded.
    const { wanted } = document.documentElement.dataset;
    delete document.documentElement.dataset["wanted"];
    press(wanted);
  });
  return null;
}
