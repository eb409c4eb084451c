import { createSignal, onCleanup } from "solid-js";
import { Visible } from "../calls/Visible.tsx";

/** The seconds until the engine asks the provider again. */
export function Countdown(props: { at: number; reason: string }) {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), 500);
  onCleanup(() => clearInterval(timer));
  return (
    <>
      <Visible text={props.reason} /> · tries again in {Math.max(0, Math.ceil((props.at - now()) / 1_000))} s
    </>
  );
}
