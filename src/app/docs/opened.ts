import { createSignal, onCleanup } from "solid-js";
import type { Content } from "./source.ts";

/** What can be looked at and not written in. `size`: bytes. */
export type OtherOpened =
  | { readonly kind: "image"; readonly url: string; readonly size: number }
  | { readonly kind: "binary"; readonly size: number };
/** What is there of the file that is open. */
type Opened =
  | { readonly kind: "nothing" }
  | { readonly kind: "loading" }
  | { readonly kind: "text" }
  | { readonly kind: "failed"; readonly message: string }
  | OtherOpened;

/** Keeps the address of an image until another file has its place. */
export function createOpened() {
  const [opened, setOpened] = createSignal<Opened>({ kind: "nothing" });
  let imageUrl: string | null = null;

  function forgetImage() {
    if (imageUrl !== null) URL.revokeObjectURL(imageUrl);
    imageUrl = null;
  }
  onCleanup(forgetImage);

  return {
    opened,
    setOpened,
    forgetImage,
    showOther: (content: Exclude<Content, { kind: "text" }>) => {
      const size = content.bytes.byteLength;
      if (content.kind === "binary") setOpened({ kind: "binary", size });
      else {
        imageUrl = URL.createObjectURL(new Blob([content.bytes], { type: content.type }));
        setOpened({ kind: "image", url: imageUrl, size });
      }
    },
  };
}
