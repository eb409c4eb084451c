import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";

export type SectionId = "provider" | "limits" | "cost" | "sandbox" | "appearance" | "notifications" | "storage";

const sectionOf = (box: HTMLElement | undefined, id: string) => box?.querySelector<HTMLElement>(`[data-section="${id}"]`) ?? null;

/** Brings a part of the settings into sight; the next Tab goes on in it. */
export function goToSection(box: HTMLElement | undefined, id: SectionId): void {
  const section = sectionOf(box, id);
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}

/** The part that stands at the top of what is in sight. */
export function createCurrentSection(box: Accessor<HTMLElement | undefined>): Accessor<string> {
  const [current, setCurrent] = createSignal("provider");
  createEffect(() => {
    const scrolled = box()?.closest("dialog");
    if (!scrolled) return;
    const look = () => {
      const sections = Array.from(box()?.querySelectorAll<HTMLElement>("[data-section]") ?? []);
      const top = scrolled.getBoundingClientRect().top + scrolled.clientHeight / 3;
      const atEnd = scrolled.scrollTop + scrolled.clientHeight >= scrolled.scrollHeight - 2;
      const passed = sections.filter((section) => section.getBoundingClientRect().top <= top);
      const now = (atEnd ? sections : passed).at(-1) ?? sections[0];
      setCurrent(now?.dataset["section"] ?? "provider");
    };
    scrolled.addEventListener("scroll", look, { passive: true });
    onCleanup(() => scrolled.removeEventListener("scroll", look));
  });
  return current;
}
