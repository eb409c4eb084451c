import { createSignal } from "solid-js";

const [computerHere, setComputerHere] = createSignal(false);

/** Whether this page holds the computer, as the one of the tab that leads does; reactive. */
export { computerHere, setComputerHere };
