import { Show } from "solid-js";
import { type Command, onMac, shownKeys } from "./commands.ts";

export interface CommandButtonProps {
  readonly of: Command;
  readonly class?: string;
  readonly title?: string;
  /** The id of the menu that contains the button, and closes with it. */
  readonly menu?: string;
}

/** A command as a button, or as a link if it is one. Nothing while the command is hidden. */
export function CommandButton(props: CommandButtonProps) {
  return (
    <Show when={props.of.hidden !== true}>
      <Show
        when={props.of.href}
        fallback={
          <button
            type="button"
            class={props.class}
            disabled={props.of.disabled}
            title={props.title}
            popovertarget={props.menu}
            popovertargetaction={props.menu === undefined ? undefined : "hide"}
            onClick={() => props.of.run()}
          >
            {props.of.label}
            <Show when={props.of.keys}>
              {(keys) => (
                <>
                  {" "}
                  <kbd>{shownKeys(keys(), onMac())}</kbd>
                </>
              )}
            </Show>
          </button>
        }
      >
        {(href) => (
          <a class={props.class} href={href()}>
            {props.of.label}
          </a>
        )}
      </Show>
    </Show>
  );
}

/** A command that leads to a page of the app. `href`: null while there is none. */
export const linkCommand = (label: string, href: () => string | null): Command => ({
  label,
  get href() {
    return href();
  },
  get hidden() {
    return href() === null;
  },
  run() {
    const to = href();
    if (to !== null) location.hash = to;
  },
});
