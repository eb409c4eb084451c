import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { Modal } from "../ui/Modal.tsx";
import { openGuide } from "./guide.ts";
import * as t from "../texts/guide.ts";

/** Shown while the guide is being created. The page reloads when it is ready. */
export default function GuideDialog(props: { close: () => void }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  onMount(async () => setProblem(await openGuide(stop.signal)));
  return (
    <Modal title={t.title} close={() => props.close()}>
      <Show when={problem()} fallback={<output>{t.opening}</output>}>
        {(why) => (
          <p class="problem" role="alert">
            {t.notOpened(why())}
          </p>
        )}
      </Show>
    </Modal>
  );
}
