/**
 * The paths that a file may have on the disk after unpacking, its own first. On Windows, unpacking programs write `_` for each character that is
 * not allowed in names, and some also for dots and spaces at the end of a name.
 */
export function unpackedPaths(path: string): readonly string[] {
  if (!maybeOther.test(path)) return [path];
  const written = path.replaceAll(/[<>:"|?*\p{Control}]/gu, "_");
  return [path, written, written.split("/").map(withoutEnd).join("/")];
}

/** Matches almost no path. */
const maybeOther = /[<>:"|?*\p{Control}]|[. ](?:\/|$)/u;

function withoutEnd(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === "." || segment[end - 1] === " ")) end--;
  return segment.slice(0, end) + "_".repeat(segment.length - end);
}
