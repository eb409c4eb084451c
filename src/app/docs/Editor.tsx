export interface EditorProps {
  readonly label: string;
  readonly value: string;
  /** `prose` is set as a page, `code` as a program. */
  readonly look: "prose" | "code";
  readonly onInput: (text: string) => void;
}

/** Text to write in. It knows nothing of files: what is typed goes out, what is given shows. */
export function Editor(props: EditorProps) {
  return (
    <textarea
      class={`editor editor-${props.look}`}
      aria-label={props.label}
      spellcheck={props.look === "prose"}
      autocapitalize={props.look === "prose" ? "sentences" : "off"}
      placeholder={props.look === "prose" ? "Write…" : ""}
      value={props.value}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  );
}
