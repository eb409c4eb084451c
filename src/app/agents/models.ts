import { listModels, readProvider } from "../model/api/calls.ts";

/** The names in a file for the newest model of a family. */
const families = ["sonnet", "opus", "haiku"] as const;

/** Model names for a file. Only providers that the user has set up are asked. */
export async function modelNames(): Promise<readonly string[]> {
  const [claude, openai] = await Promise.all(
    (["claude", "openai"] as const).map(async (name) => {
      const provider = await readProvider(name);
      const answer = provider.ok && provider.value.configured ? await listModels(name) : null;
      return answer?.ok === true ? answer.value.models : [];
    }),
  );
  return [...families, ...(claude ?? []), ...(openai ?? []).map((model) => `openai/${model}`)];
}
