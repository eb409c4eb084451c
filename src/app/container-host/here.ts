import { createSignal } from "solid-js";

const [webContainerHere, setWebContainerHere] = createSignal(false);

/** Whether this page holds the WebContainer, as the page of the leading tab does; reactive. */
export { webContainerHere, setWebContainerHere };
