import { createSignal, onCleanup } from "solid-js";
import type { Content } from "./source.ts";

/** What can be viewed but not edited. `size`: in bytes. */
export type OtherOpened =
  | { readonly kind: "image"; readonly url: string; readonly size: number }
  | { readonly kind: "binary"; readonly size: number };
/** The state of the open file. */
type Opened =
  | { readonly kind: "nothing" }
  | { readonly kind: "loading" }
  | { readonly kind: "text" }
  | { readonly kind: "failed"; readonly message: string }
  | OtherOpened;

/** Holds the content of the open file. Keeps an image's object URL until another file is opened. */
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
