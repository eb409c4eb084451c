import { createSignal } from "solid-js";
import type { Wanted } from "./new-agent.ts";

const nothing: Wanted = { name: "", description: "", can: "read" };
const [isOpen, setOpen] = createSignal(false);
const [wanted, setWanted] = createSignal(nothing);

/** The form for a new agent. It lasts as long as the page, so that closing it or following a link loses nothing. */
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
