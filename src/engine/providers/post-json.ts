import { bodyJson } from "./body-json.ts";
import type { Transport } from "./wire.ts";

/** The part of an SDK's client that is needed here. */
interface Client {
  post(
    path: string,
    options: object,
  ): {
    withResponse(): Promise<{ readonly data: AsyncIterable<unknown>; readonly response: Response }>;
  };
}

/** Posts a body, written by `bodyJson`, and returns the events of the answer as the SDK decodes them. */
export async function postJson(client: Client, path: string, body: object): ReturnType<Transport["post"]> {
  const sent = { body: bodyJson(body), headers: { "content-type": "application/json" }, stream: true };
  const { data, response } = await client.post(path, sent).withResponse();
  return { events: data, response };
}
