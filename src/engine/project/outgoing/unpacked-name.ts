/**
 * How a path may stand on the disk after unpacking; as it is comes first. On Windows programs that unpack write `_` for each character that no name
 * can have there, and some of them also for dots and spaces at the end of one.
 */
export function unpackedPaths(path: string): readonly string[] {
  if (!maybeOther.test(path)) return [path];
  const written = path.replaceAll(/[<>:"|?*\p{Control}]/gu, "_");
  return [path, written, written.split("/").map(withoutEnd).join("/")];
}

/** Nearly no path. */
const maybeOther = /[<>:"|?*\p{Control}]|[. ](?:\/|$)/u;

function withoutEnd(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === "." || segment[end - 1] === " ")) end--;
  return segment.slice(0, end) + "_".repeat(segment.length - end);
}
