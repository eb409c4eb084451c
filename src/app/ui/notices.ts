import { createSignal } from "solid-js";

export interface Notice {
  readonly message: string;
  /** A link to what the notice is about. */
  readonly href?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Whether the action is about this notice's own subject, so that another notice with the same words doesn't replace it. */
  readonly each?: boolean;
}

const maxNotices = 50;

/** Notices that stay until they are dismissed, and a status line for screen readers. */
export function createNotices() {
  const [list, setList] = createSignal<readonly Notice[]>([]);
  const [status, setStatus] = createSignal("");
  const dismiss = (notice: Notice) => setList(list().filter((other) => other !== notice));
  return {
    list,
    dismiss,
    /** The last event, for the live region. */
    status,
    // Repeated words are spoken only if the text differs.
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
      // A repeated notice adds nothing, and an agent can cause any number of them.
      const stays = (other: Notice) => other.each === true || other.message !== notice.message;
      setList([...list().filter(stays), shown].slice(-maxNotices));
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;
