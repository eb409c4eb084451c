import { scriptUrl } from "./script-url.ts";

/** Fetches the shell's script from the app's server. Rejects with a sentence. */
export async function loadScript(): Promise<Uint8Array> {
  const response = await fetch(scriptUrl).catch(() => null);
  if (!response?.ok) throw new Error(`the shell's script could not be loaded${response ? ` (${response.status})` : "; are you offline?"}`);
  return new Uint8Array(await response.arrayBuffer());
}
