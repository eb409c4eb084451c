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

/** The part of the settings that a person looks at: the one they have chosen, else the one that stands at the top of what is in sight. */
export function createCurrentSection(box: Accessor<HTMLElement | undefined>) {
  const [id, setId] = createSignal("provider");
  /** What was chosen may stand below others that are in sight, too; it counts until the person scrolls by themselves. */
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

  /** Where the list of the parts is a line, the current one is brought into it. */
  function show(next: string) {
    setId(next);
    const nav = box()?.querySelector("nav");
    const button = nav?.querySelector<HTMLElement>("[aria-current]");
    if (nav && button) nav.scrollLeft = button.offsetLeft - (nav.clientWidth - button.offsetWidth) / 2;
  }

  return {
    id,
    /** Brings a part into sight; the next Tab continues in it. */
    go(next: SectionId) {
      chosen = true;
      show(next);
      const section = sections().find(({ dataset }) => dataset["section"] === next);
      section?.scrollIntoView({ block: "start" });
      section?.focus({ preventScroll: true });
    },
  };
}
