import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The violations that axe finds, by all rules or by `rules`. The order of headings in an agent's text is ignored: the agent chose it. */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Inject axe once and create each report in the page: opening a page for each report costs more than the rules.
  const isThere = await page.evaluate(() => "axe" in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: "true" } : {}) }).setLegacyMode().exclude("iframe");
  // The page already has its style sheets, so axe need not fetch them again.
  builder.options({ resultTypes: ["violations"], preload: false });
  const { violations } = await (rules ? builder.withRules([...rules]) : builder).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === "heading-order" && /class="heading-\d"/.test(html)))
      .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
  );
}

/** What one look at the page shows. */
interface Looked {
  /** The least number of Tab presses that reaches every element. */
  readonly tabbable: number;
  readonly sticksOut: readonly string[];
  /** Elements less than 44 px high. */
  readonly small: readonly string[];
}

/** Marks every element that can be pressed or typed into, and starts recording the focus. */
const look = (page: Page): Promise<Looked> =>
  page.evaluate(() => {
    const scope = document.querySelector("dialog[open]") ?? document;
    const all = Array.from(
      scope.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary, [contenteditable=true], [tabindex='0']"),
    ).filter((element) => element.checkVisibility({ visibilityProperty: true }));
    const name = (element: HTMLElement) =>
      `${element.localName} "${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 40)}" .${element.className}`;
    const scrolls = (element: HTMLElement): boolean => {
      for (let box = element.parentElement; box !== null; box = box.parentElement)
        if (box.scrollWidth > box.clientWidth && /auto|scroll/.test(getComputedStyle(box).overflowX)) return true;
      return false;
    };
    const sticksOut: string[] = [];
    const width = document.scrollingElement?.scrollWidth ?? 0;
    if (width > innerWidth) sticksOut.push(`the page is ${width} px wide, the window ${innerWidth} px`);
    // Code and tables may scroll sideways in their own boxes; a dialog box may not.
    const modal = document.querySelector("dialog[open]");
    for (const box of modal === null ? [] : [modal, ...modal.children])
      if (box.scrollWidth > box.clientWidth + 1) sticksOut.push(`the box scrolls sideways: ${box.scrollWidth} px in ${box.clientWidth} px`);
    const ruler = document.createElement("canvas").getContext("2d");
    for (const field of all) {
      if (!(field instanceof HTMLInputElement) || field.value !== "" || ruler === null) continue;
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      ruler.font = font;
      const missing = ruler.measureText(field.placeholder).width - (field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
      if (missing > 0) sticksOut.push(`${name(field)}: "${field.placeholder}" is cut by ${Math.ceil(missing)} px`);
    }
    const small: string[] = [];
    const marked = new Map<HTMLElement, string>();
    for (const element of all) {
      // A checkbox or radio button counts with its label.
      const isChoice = element.matches("[type=checkbox], [type=radio]");
      const box = (isChoice ? (element.closest("label") ?? element) : element).getBoundingClientRect();
      if ((box.left < -1 || box.right > innerWidth + 1) && box.width > 1 && !scrolls(element)) sticksOut.push(name(element));
      const isPressed = !element.matches("[contenteditable], [tabindex='0']:not(button, a, input, select, textarea, summary)");
      // A link inside a text is as high as its line.
      if (isPressed && box.height < 44 && element.closest(".prose, .doing, .limits p, .cost-total") === null)
        small.push(`${name(element)} ${box.height}`);
      if (element.tabIndex >= 0 && !element.matches(":disabled")) marked.set(element, name(element));
    }
    const reached = new Set<HTMLElement>();
    const unseen = new Set<string>();
    const stop = new AbortController();
    const shade = (element: HTMLElement) => getComputedStyle(element).boxShadow;
    let focused: { element: HTMLElement; shadow: string; hasOutline: boolean } | null = null;
    document.addEventListener(
      "focusin",
      ({ target }) => {
        if (!(target instanceof HTMLElement)) return;
        // The Tab key leads to one radio button of a group, the arrow keys from there to the others.
        const choices = target.matches("[type=radio]")
          ? all.filter((other) => other.getAttribute("name") === target.getAttribute("name"))
          : [];
        for (const each of [target, ...choices]) reached.add(each);
        focused = { element: target, shadow: shade(target), hasOutline: getComputedStyle(target).outlineStyle !== "none" };
      },
      { signal: stop.signal },
    );
    document.addEventListener(
      "focusout",
      () => {
        if (focused === null) return;
        const { element, shadow, hasOutline } = focused;
        if (!hasOutline && element.localName !== "iframe" && shade(element) === shadow) unseen.add(name(element));
      },
      { signal: stop.signal },
    );
    Object.assign(window, {
      endOfWatch: () => {
        stop.abort();
        // Elements that are gone by now, such as a row scrolled out of a long list, can't be reached.
        const missed = Array.from(marked).flatMap(([element, what]) => (reached.has(element) || !element.isConnected ? [] : [what]));
        return { missed, unseen: Array.from(unseen) };
      },
      missesSome: () => Array.from(marked.keys()).some((element) => !reached.has(element) && element.isConnected),
    });
    return { tabbable: marked.size, sticksOut, small };
  });

declare global {
  interface Window {
    missesSome(): boolean;
    endOfWatch(): { readonly missed: readonly string[]; readonly unseen: readonly string[] };
  }
}

const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 } as const;
/** Extra Tab presses for scrollable boxes, frames and wrapping around. If an element is missed, another round follows. */
const spare = 2;
const mostRounds = 5;

export interface Checked {
  readonly sticksOut: readonly string[];
  readonly small: readonly string[];
  readonly missed: readonly string[];
  readonly unseen: readonly string[];
}

/** Looks at the page and goes through it with the Tab key. */
export async function check(page: Page): Promise<Checked> {
  const { tabbable, sticksOut, small } = await look(page);
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < mostRounds && (await page.evaluate(() => window.missesSome())); round += 1) {
    // The browser processes the keys in order. Waiting for each one would take most of the time.
    const presses = Array.from({ length: tabbable + spare }, () => [
      session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tab }),
      session.send("Input.dispatchKeyEvent", { type: "keyUp", ...tab }),
    ]);
    await Promise.all(presses.flat());
  }
  await session.detach();
  return { sticksOut, small, ...(await page.evaluate(() => window.endOfWatch())) };
}
