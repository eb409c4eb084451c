import { createSignal } from "solid-js";
import type { Command } from "./commands.ts";
import { keep } from "./keep.ts";
import * as t from "../texts/frame.ts";

export type Theme = "system" | "light" | "dark";
export const themes: readonly Theme[] = ["system", "light", "dark"];

const key = "vibey theme";

/** The chosen theme, saved on this device. The style sheet reads it from `data-theme` on the root element. */
export function createTheme() {
  const kept = localStorage.getItem(key);
  const initial = themes.find((known) => known === kept) ?? "system";
  const [theme, setTheme] = createSignal<Theme>(initial);
  document.documentElement.dataset["theme"] = initial;
  return {
    theme,
    choose(next: Theme) {
      setTheme(next);
      document.documentElement.dataset["theme"] = next;
      keep(key, next);
    },
  };
}

const labels = { system: t.lookAsSystem, light: t.lookLight, dark: t.lookDark } as const;

/** The themes as commands, except the chosen one. */
export const themeCommands = (choice: ThemeChoice): Command[] =>
  themes.map((name) => ({ label: labels[name], hidden: choice.theme() === name, run: () => choice.choose(name) }));

export type ThemeChoice = ReturnType<typeof createTheme>;
