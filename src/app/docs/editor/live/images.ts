import { Decoration, type EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { readDeed } from "../../../model/api/calls.ts";
import * as t from "../../../texts/markdown.ts";
import { surroundings } from "../links.ts";
import { ValueWidget } from "../value-widget.ts";
import type { Canvas } from "./canvas.ts";

/** Types of images by file extension. An image can't run code or load anything, so SVG is allowed. */
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};
/** The maximum length of a data URL, in characters. */
const maxDataLength = 2_000_000;
/** The maximum size of an image file shown in a text, in bytes. */
const maxFileSize = 20_000_000;

/** An image instead of its text. `value`: its description, a line break, and a path in the project or a data URL. */
class ImageWidget extends ValueWidget<string> {
  toDOM(view: EditorView) {
    const [alt = "", source = ""] = this.value.split("\n");
    const image = document.createElement("img");
    image.className = "md-image";
    image.alt = alt;
    image.title = alt;
    image.loading = "lazy";
    image.decoding = "async";
    image.addEventListener("load", () => view.requestMeasure());
    image.addEventListener("error", () => fail(image, alt, view));
    if (source.startsWith("data:")) image.src = source;
    else void fill(image, source, () => fail(image, alt, view));
    const dom = document.createElement("span");
    dom.className = "md-image-place";
    dom.append(image);
    return dom;
  }
  override destroy(dom: HTMLElement) {
    const source = dom.querySelector("img")?.src;
    if (source?.startsWith("blob:") === true) URL.revokeObjectURL(source);
    dom.querySelector("img")?.removeAttribute("src");
  }
  /** A click on the image moves the cursor to its text. */
  override ignoreEvent() {
    return false;
  }
}

async function fill(image: HTMLImageElement, path: string, failed: () => void) {
  const answer = await readDeed(path);
  if (!answer.ok || answer.value.byteLength > maxFileSize) return failed();
  // The image may have been removed by now.
  if (image.isConnected) image.src = URL.createObjectURL(new Blob([answer.value], { type: types[endingOf(path)] ?? "" }));
}

function fail(image: HTMLImageElement, alt: string, view: EditorView) {
  if (!image.isConnected) return;
  if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
  image.replaceWith(alt === "" ? t.imageUnnamed : t.image(alt));
  view.requestMeasure();
}

const endingOf = (path: string) => path.split(".").at(-1)?.toLowerCase() ?? "";

/**
 * The source of an image that may be shown without asking: a file of the project, by its path, or a data URL. Null for anything else. Another server
 * would learn that the doc is being read, so such an image stays a link.
 */
export function imageSource(target: string, hasFile: (path: string) => boolean): string | null {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(target)) return target.length <= maxDataLength ? target : null;
  if (types[endingOf(target)] === undefined || /^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  // Docs are in a folder of their own, beside the deed.
  const path = decoded(target.replace(/^(?:\.{0,2}\/)+/, ""));
  return path !== null && hasFile(path) ? path : null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Shows an image instead of its text, unless the user is editing that text. True: the image is shown. */
export function drawImage({ state, touches, add }: Canvas, node: SyntaxNode): boolean {
  const url = node.getChild("URL");
  if (url === null || touches(node.from, node.to) || state.doc.lineAt(node.from).to < node.to) return false;
  const target = state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/, "$1");
  const source = imageSource(target, (path) => state.facet(surroundings).hrefOf(path) !== null);
  if (source === null) return false;
  const [open, close] = node.getChildren("LinkMark");
  const alt = open === undefined || close === undefined ? "" : state.sliceDoc(open.to, close.from).replace(/[\\*_`]/g, "");
  add(Decoration.replace({ widget: new ImageWidget(`${alt}\n${source}`) }), node.from, node.to);
  return true;
}
