import { createSignal, onCleanup } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/dialogs.ts";

/** The seconds until the engine asks the provider again. */
export function Countdown(props: { at: number; reason: string }) {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), 500);
  onCleanup(() => clearInterval(timer));
  return (
    <>
      <Visible text={props.reason} /> · {t.triesAgainIn(Math.max(0, Math.ceil((props.at - now()) / 1_000)))}
    </>
  );
}
