import { createSignal } from "solid-js";

const [webContainerHere, setWebContainerHere] = createSignal(false);

/** Whether this page holds the WebContainer, as the one of the tab that leads does; reactive. */
export { webContainerHere, setWebContainerHere };
