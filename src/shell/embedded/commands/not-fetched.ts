/** What a command says whose files could not be fetched. The browser's own words, such as "Failed to fetch", say neither what failed nor what to do. */
export function notFetched(error: unknown): string {
  const why = (error instanceof Error ? error.message : String(error)).replace(/^Error: /, "").replace(/; are you offline\?$/, "");
  return `it is fetched when it is first used, and could not be; connect to the network and run it again (${why})`;
}
