/** Normalizes an absolute path: no `.`, `..` or double slashes. */
export function normalPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

export function joinPath(folder: string, path: string): string {
  return normalPath(path.startsWith("/") ? path : `${folder}/${path}`);
}

export function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** With the dot; "" if there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot);
}

export function fileUrl(path: string): string {
  const encoded = path
    .replaceAll("%", "%25")
    .replaceAll("\\", "%5C")
    .replaceAll("\n", "%0A")
    .replaceAll("\r", "%0D")
    .replaceAll("\t", "%09");
  return new URL(`file://${encoded.replaceAll("?", "%3F").replaceAll("#", "%23")}`).href;
}

export function pathOfUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}
