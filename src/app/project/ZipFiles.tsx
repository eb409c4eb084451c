import { createSignal, For, Show } from "solid-js";
import type { ZipContents } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { fileSize } from "../ui/format.ts";
import * as t from "../texts/zip.ts";
import { Capped } from "./Capped.tsx";

const kinds = [
  ["doc", t.docsTitle],
  ["dialog", t.dialogsTitle],
  ["deed", t.deedTitle],
] as const;

const standings = { new: "", same: t.youHaveIt, conflict: t.inTheWay, repository: t.staysOut } as const;

/** The contents of the zip, file by file, and which files the project already has. */
export function ZipFiles(props: { contents: ZipContents }) {
  // Thousands of rows are created only when the list is opened.
  const [open, setOpen] = createSignal(false);
  return (
    <details class="zip-files" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.filesTitle}</summary>
      <For each={open() ? kinds : []}>
        {([kind, title]) => {
          const files = () => props.contents.files.filter((file) => file.kind === kind);
          return (
            <Show when={files().length > 0}>
              <h4>{title}</h4>
              <Capped label={title} items={files()}>
                {({ path, size, standing }) => (
                  <>
                    <span>
                      <Visible text={kind === "deed" ? path : path.slice("vibey/".length)} />
                    </span>
                    <span class="zip-note">
                      {standings[standing]} {fileSize(size)}
                    </span>
                  </>
                )}
              </Capped>
            </Show>
          );
        }}
      </For>
    </details>
  );
}
