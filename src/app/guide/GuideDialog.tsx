import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { Modal } from "../shell/Modal.tsx";
import { openGuide } from "./guide.ts";

/** While the guide is made; the page starts anew when it is. */
export default function GuideDialog(props: { close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  onMount(async () => setProblem(await openGuide(stop.signal)));
  return (
    <Modal title="The guide" close={() => props.close()}>
      <Show when={problem()} fallback={<output>Opening the guide, a project of its own…</output>}>
        {(why) => (
          <p class="problem" role="alert">
            The guide could not be opened: {why()}
          </p>
        )}
      </Show>
    </Modal>
  );
}
