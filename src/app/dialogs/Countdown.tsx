import { createSignal, onCleanup } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { duration } from "../ui/format.ts";
import * as t from "../texts/dialogs.ts";

/** The time until the engine asks the provider again. */
export function Countdown(props: { at: number; reason: string }) {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), 500);
  onCleanup(() => clearInterval(timer));
  return (
    <>
      <Visible text={props.reason} /> · {t.triesAgainIn(duration(1_000 * Math.max(1, Math.ceil((props.at - now()) / 1_000))))}
    </>
  );
}
