import { createSignal } from "solid-js";

export interface Notice {
  readonly message: string;
  /** A link to what it is about. */
  readonly href?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Its action is about a thing of its own: another one in the same words does not replace it. */
  readonly each?: boolean;
}

const maxNotices = 50;

/** News that stays until it is dismissed, and a line for the status that screen readers speak. */
export function createNotices() {
  const [list, setList] = createSignal<readonly Notice[]>([]);
  const [status, setStatus] = createSignal("");
  const dismiss = (notice: Notice) => setList(list().filter((other) => other !== notice));
  return {
    list,
    dismiss,
    /** The last thing that happened, for the live region. */
    status,
    // The same words once more are spoken only where they differ.
    announce: (text: string) => setStatus(text === status() ? `${text}\xa0` : text),
    add(notice: Notice) {
      const { action } = notice;
      const shown: Notice = action
        ? {
            ...notice,
            action: {
              label: action.label,
              run: () => {
                dismiss(shown);
                action.run();
              },
            },
          }
        : notice;
      // The same news twice says nothing more. An agent can cause any number of them.
      const stays = (other: Notice) => other.each === true || other.message !== notice.message;
      setList([...list().filter(stays), shown].slice(-maxNotices));
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;
