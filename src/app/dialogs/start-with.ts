import { startDialog } from "../model/api/calls.ts";
import { opened, type OpenedDialog } from "../model/api/opened.ts";
import type { ProviderName } from "../providers/names.ts";
import * as t from "../texts/start.ts";

export { defaultProvider } from "../providers/default-provider.ts";

/** Starts one dialog whose agent reads doc-main.md. */
export const startFirst = async (provider: ProviderName): Promise<OpenedDialog> =>
  opened(await startDialog({ provider, prompt: t.firstPrompt, slug: "start" }));
