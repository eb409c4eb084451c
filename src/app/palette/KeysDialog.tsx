import { createSignal, For } from "solid-js";
import { type Command, onMac, shownKeys } from "../shell/commands.ts";
import { singleKeys } from "../shell/global-keys.ts";
import { Modal } from "../shell/Modal.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./palette.css";

interface KeyRow {
  readonly label: string;
  readonly keys: string;
}

/** Keys that work in one place, and are handled there. */
const inPlaces: readonly { readonly place: string; readonly rows: readonly KeyRow[] }[] = [
  {
    place: "In a doc",
    rows: [
      { label: "Save", keys: "Mod+KeyS" },
      { label: "Find and replace", keys: "Mod+KeyF" },
      { label: "Bold", keys: "Mod+KeyB" },
      { label: "Slanted", keys: "Mod+KeyI" },
      { label: "Open the link, check the task", keys: "Mod+Enter" },
    ],
  },
  {
    place: "In a dialog",
    rows: [
      { label: "Send", keys: "Mod+Enter" },
      { label: "Edit your last message, from an empty one", keys: "ArrowUp" },
      { label: "Find in the dialog", keys: "Mod+KeyF" },
    ],
  },
  {
    place: "When the agent asks for leave",
    rows: [
      { label: "Approve", keys: "Enter" },
      { label: "Deny", keys: "KeyD" },
      { label: "Deny and say why", keys: "KeyW" },
      { label: "Always allow", keys: "KeyA" },
    ],
  },
];

/** Every command that has keys, and which ones. */
export default function KeysDialog(props: { commands: readonly Command[]; close: () => void }) {
  const [single, setSingle] = createSignal(singleKeys.on());
  const places = () => [
    {
      place: "Everywhere",
      rows: props.commands.flatMap(({ label, keys, hidden }): KeyRow[] => (keys === undefined || hidden === true ? [] : [{ label, keys }])),
    },
    ...inPlaces,
  ];
  return (
    <Modal title="Keys" close={() => props.close()}>
      <For each={places()}>
        {({ place, rows }) => (
          <section class="keys-place">
            <h3>{place}</h3>
            <dl>
              <For each={rows}>
                {({ label, keys }) => (
                  <div>
                    <dt>{label}</dt>
                    <dd>
                      <kbd>{shownKeys(keys, onMac())}</kbd>
                    </dd>
                  </div>
                )}
              </For>
            </dl>
          </section>
        )}
      </For>
      <label class="keys-single">
        <input
          type="checkbox"
          checked={single()}
          onChange={(event) => {
            singleKeys.set(event.currentTarget.checked);
            setSingle(event.currentTarget.checked);
          }}
        />
        <span>
          <kbd>?</kbd> shows this list, while no text is being written
        </span>
      </label>
    </Modal>
  );
}
