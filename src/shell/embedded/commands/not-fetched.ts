/**
 * The message of a command whose files could not be fetched. The browser's own text, such as "Failed to fetch", says neither what failed nor what to
 * do.
 */
export function notFetched(error: unknown): string {
  const why = (error instanceof Error ? error.message : String(error)).replace(/^Error: /, "").replace(/; are you offline\?$/, "");
  return `it is fetched when it is first used, and could not be; connect to the network and run it again (${why})`;
}
