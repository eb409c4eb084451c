import { For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/agents-page.ts";
import type { Instructions } from "./instructions.ts";

/** Files in which other programs look for how agents should work, each to be named in main. */
export function InstructionFiles(props: { files: readonly Instructions[]; busy: boolean; use: (path: string) => void }) {
  return (
    <section aria-label={t.instructions}>
      <h3>{t.instructions}</h3>
      <p class="hint">{t.instructionsHint}</p>
      <ul>
        <For each={props.files}>
          {(file) => (
            <li>
              <div class="agent-words">
                <a href={formatRoute({ tab: "docs", file: { kind: "deed", path: file.path } })}>
                  <Visible text={file.path} />
                </a>
              </div>
              <div class="agent-actions">
                <Show when={!file.isNamed} fallback={<span class="hint">{t.isNamedInMain}</span>}>
                  <button
                    type="button"
                    class="quiet"
                    disabled={props.busy}
                    aria-label={t.useFileInMain(file.path)}
                    onClick={() => props.use(file.path)}
                  >
                    {t.useInMain}
                  </button>
                </Show>
              </div>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
