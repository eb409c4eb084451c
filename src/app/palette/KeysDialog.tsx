import { createSignal, For } from "solid-js";
import { type Command, onMac, shownKeys } from "../ui/commands.ts";
import { singleKeys } from "../frame/global-keys.ts";
import { Modal } from "../ui/Modal.tsx";
import * as t from "../texts/keys.ts";
import { Parts } from "../texts/Parts.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./palette.css";

interface KeyRow {
  readonly label: string;
  readonly keys: string;
}

/** Keys that work in one place, and are handled there. */
const inPlaces: readonly { readonly place: string; readonly rows: readonly KeyRow[] }[] = [
  {
    place: t.inDoc,
    rows: [
      { label: t.save, keys: "Mod+KeyS" },
      { label: t.findAndReplace, keys: "Mod+KeyF" },
      { label: t.bold, keys: "Mod+KeyB" },
      { label: t.slanted, keys: "Mod+KeyI" },
      { label: t.openOrCheck, keys: "Mod+Enter" },
    ],
  },
  {
    place: t.inDialog,
    rows: [
      { label: t.send, keys: "Mod+Enter" },
      { label: t.editLast, keys: "ArrowUp" },
      { label: t.findInDialog, keys: "Mod+KeyF" },
    ],
  },
  {
    place: t.askedForLeave,
    rows: [
      { label: t.approve, keys: "Enter" },
      { label: t.deny, keys: "KeyD" },
      { label: t.denyWhy, keys: "KeyW" },
      { label: t.alwaysAllow, keys: "KeyA" },
    ],
  },
];

/** Every command that has keys, with its keys. */
export default function KeysDialog(props: { commands: readonly Command[]; close: () => void }) {
  const [single, setSingle] = createSignal(singleKeys.on());
  const places = () => [
    {
      place: t.everywhere,
      rows: props.commands.flatMap(({ label, keys, hidden }): KeyRow[] => (keys === undefined || hidden === true ? [] : [{ label, keys }])),
    },
    ...inPlaces,
  ];
  return (
    <Modal title={t.title} close={() => props.close()}>
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
          <Parts of={t.singleKey} />
        </span>
      </label>
    </Modal>
  );
}
