import type { ServerRequest, ServerResponse } from "../../../protocol/index.ts";
import { splitLine, withLine } from "../../../protocol/line-and-body.ts";
import { type Answer, ask } from "../../model/api/calls.ts";

/** A dialog's server in the built-in shell. */
export interface Site {
  readonly dialogId: string;
  readonly port: number;
}

export interface ServerAnswer extends ServerResponse {
  readonly body: Uint8Array<ArrayBuffer>;
}

export type AskSite = (
  site: Site,
  request: Omit<ServerRequest, "dialogId">,
  body: Uint8Array<ArrayBuffer> | null,
) => Promise<Answer<ServerAnswer>>;

/** Sends the request through the engine, by messages, never over the network. */
export const askSite: AskSite = ({ dialogId, port }, request, body) =>
  ask(
    `sandbox/servers/${port}/request`,
    async (response) => {
      const split = splitLine(new Uint8Array(await response.arrayBuffer()));
      if (split === null) throw new TypeError("the answer of a server has no first line");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own engine's
      return { ...(split.line as ServerResponse), body: split.body };
    },
    { method: "POST", body: withLine({ dialogId, ...request } satisfies ServerRequest, body ?? new Uint8Array()) },
  );
