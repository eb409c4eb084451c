import type { Fetch } from "./route.ts";

/** Routes whose code is loaded with their first request. */
export function loadedOnce(load: () => Promise<Fetch>): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (request) => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return (await loading)(request);
  };
}
