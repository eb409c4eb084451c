import { createSignal, onCleanup } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/dialogs.ts";
import { seconds } from "../texts/measures.ts";
import { duration, number } from "../ui/format.ts";

/** The time until the engine tries the provider again. */
export function Countdown(props: { at: number; reason: string }) {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), 500);
  onCleanup(() => clearInterval(timer));
  const left = () => Math.max(0, Math.ceil((props.at - now()) / 1_000));
  return (
    <>
      <Visible text={props.reason} /> · {t.triesAgainIn(left() < 60 ? seconds(number(left())) : duration(left() * 1_000))}
    </>
  );
}
