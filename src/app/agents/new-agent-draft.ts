import { createSignal } from "solid-js";
import type { Wanted } from "./new-agent.ts";

const nothing: Wanted = { name: "", description: "", can: "read" };
const [isOpen, setOpen] = createSignal(false);
const [wanted, setWanted] = createSignal(nothing);

/** The form of a new agent: it lasts as long as the page, so that a second click on its button or a followed link loses nothing. */
export const newAgentDraft = {
  isOpen,
  setOpen,
  wanted,
  type: (change: Partial<Wanted>) => void setWanted({ ...wanted(), ...change }),
  end() {
    setOpen(false);
    setWanted(nothing);
  },
};
