import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { ServerView } from "../../protocol/index.ts";
import { isServerPageNews } from "../container-host/preview-script.ts";
import { createConsole } from "./lines.ts";
import { createStrangers, isWithin } from "./strangers.ts";
import { onChange } from "../ui/on-change.ts";

/**
 * The page of a server in the project's WebContainer, in a frame of its own origin. The container adds our script to it, which reports its console
 * and errors. Everything that comes from there is untrusted.
 */
export function createServerPage(servers: Accessor<readonly ServerView[]>) {
  const output = createConsole();
  const [port, setPort] = createSignal<number | null>(null);
  const [frame, setFrame] = createSignal<HTMLIFrameElement>();
  const [load, setLoad] = createSignal(1);
  const [flooded, setFlooded] = createSignal(false);
  const server = () => servers().find((each) => each.port === port()) ?? null;
  /**
   * With the app's own origin, a page would have all the app's rights, so such an address is rejected; and so is one without a host, such as
   * `javascript:`.
   */
  const url = () => {
    const address = server()?.url ?? "";
    if (!URL.canParse(address)) return null;
    const { protocol, origin } = new URL(address);
    return protocol === "https:" && origin !== location.origin ? address : null;
  };

  const strange = createStrangers(() => setFlooded(true));
  function onMessage({ source, origin, data }: MessageEvent<unknown>) {
    const window = frame()?.contentWindow;
    const address = url();
    if (!window || address === null || (source !== window && !isWithin(source, window))) return;
    strange();
    if (source !== window || origin !== new URL(address).origin || !isServerPageNews(data)) return;
    output.add(data.level, data.text);
  }
  // oxlint-disable-next-line solid/reactivity -- a message comes as an event
  addEventListener("message", onMessage);
  onCleanup(() => removeEventListener("message", onMessage));

  function reload() {
    output.clear();
    setFlooded(false);
    setLoad(load() + 1);
  }
  // After a restart of the server, its page is loaded again.
  onChange(url, (now, before) => now !== before && reload(), { defer: true });

  return {
    console: output,
    /** The open server's port; null if none is open. The server may have ended since. */
    port,
    url,
    setFrame,
    /** Increases with every load of the page. */
    load,
    flooded,
    reload,
    open(next: number | null) {
      if (next === port()) return;
      setPort(next);
      reload();
    },
  };
}
export type ServerPage = ReturnType<typeof createServerPage>;
