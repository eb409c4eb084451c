import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";

export type SectionId =
  | "provider"
  | "limits"
  | "cost"
  | "sandbox"
  | "bridge"
  | "user"
  | "appearance"
  | "notifications"
  | "agents"
  | "storage";

/** The section of the settings that the user is viewing: the chosen one, else the topmost one in view. */
export function createCurrentSection(box: Accessor<HTMLElement | undefined>) {
  const [id, setId] = createSignal("provider");
  /** Other sections may be in view above the chosen one. The choice counts until the user scrolls. */
  let chosen = false;
  const sections = () => Array.from(box()?.querySelectorAll<HTMLElement>("[data-section]") ?? []);

  createEffect(() => {
    const scrolled = box()?.closest("dialog");
    if (!scrolled) return;
    const release = () => {
      chosen = false;
    };
    const look = () => {
      if (chosen) return;
      const top = scrolled.getBoundingClientRect().top + scrolled.clientHeight / 3;
      const atEnd = scrolled.scrollTop > 0 && scrolled.scrollTop + scrolled.clientHeight >= scrolled.scrollHeight - 2;
      const passed = sections().filter((section) => section.getBoundingClientRect().top <= top);
      show((atEnd ? sections() : passed).at(-1)?.dataset["section"] ?? "provider");
    };
    scrolled.addEventListener("scroll", look, { passive: true });
    for (const event of ["wheel", "touchmove", "keydown"]) scrolled.addEventListener(event, release, { passive: true });
    onCleanup(() => {
      scrolled.removeEventListener("scroll", look);
      for (const event of ["wheel", "touchmove", "keydown"]) scrolled.removeEventListener(event, release);
    });
  });

  /** If the list of sections is a single line, scrolls the current one into view. */
  function show(next: string) {
    setId(next);
    const nav = box()?.querySelector("nav");
    const button = nav?.querySelector<HTMLElement>("[aria-current]");
    if (nav && button) nav.scrollLeft = button.offsetLeft - (nav.clientWidth - button.offsetWidth) / 2;
  }

  return {
    id,
    /** Scrolls a section into view. The next Tab continues in it. */
    go(next: SectionId) {
      chosen = true;
      show(next);
      const section = sections().find(({ dataset }) => dataset["section"] === next);
      section?.scrollIntoView({ block: "start" });
      section?.focus({ preventScroll: true });
    },
  };
}
