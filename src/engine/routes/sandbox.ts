import * as v from "valibot";
import type { SandboxAnswer } from "../../protocol/index.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { SandboxSelector } from "../../shell/sandbox-selector.ts";
import { failure, json } from "./answers.ts";
import { readBody } from "./body.ts";
import { refusalAnswer } from "./error-responses.ts";
import { route, type Routes } from "./route.ts";
import { requestServer } from "./server-request.ts";

export interface SandboxRoutes {
  readonly about: () => Promise<string>;
  /** Null if there is nothing to choose. */
  readonly selector: SandboxSelector | null;
  readonly dialogs: Pick<Dialogs, "stopBackground">;
}

const choice = v.object({ sandbox: v.picklist(["embedded", "webcontainer"], 'expected "embedded" or "webcontainer"') });

const engine = v.object({ node: v.picklist(["quickjs", "browser"], 'expected "quickjs" or "browser"') });

/** The sandbox for agents' commands, as described to the model, and the user's choice. */
export function sandboxRoutes(app: Routes, { about, selector, dialogs }: SandboxRoutes): void {
  const answer = async () =>
    json({
      about: await about(),
      ...(selector?.view() ?? { chosen: "embedded", node: "quickjs", computer: { state: "off" }, servers: [] }),
    } satisfies SandboxAnswer);
  const nothing = () => failure(409, "There is only one sandbox here");

  route(app, "/sandbox", {
    GET: answer,
    PUT: async ({ request }) => {
      const parsed = await readBody(request, choice);
      if (!parsed.ok) return parsed.answer;
      if (selector === null) return nothing();
      await selector.choose(parsed.value.sandbox);
      return answer();
    },
  });
  route(app, "/sandbox/node", {
    PUT: async ({ request }) => {
      const parsed = await readBody(request, engine);
      if (!parsed.ok) return parsed.answer;
      if (selector === null) return nothing();
      await selector.chooseNode(parsed.value.node);
      return answer();
    },
  });
  route(app, "/sandbox/start", {
    POST: async () => {
      if (selector === null) return nothing();
      if (selector.view().chosen !== "webcontainer") return failure(409, "The WebContainer is not chosen for this project");
      selector.start();
      return answer();
    },
  });
  route(app, "/sandbox/servers/:port/stop", {
    POST: async ({ param, url }) => {
      const dialog = url.searchParams.get("dialog");
      const server = selector
        ?.view()
        .servers.find(({ port, owner }) => String(port) === param("port") && (dialog === null || owner?.dialogId === dialog));
      if (!server) return failure(404, "No server listens on this port");
      const { owner } = server;
      if (owner === null) return failure(409, "It is not known which command it belongs to; stop the dialog that started it");
      if (owner.background === null) return failure(409, "It ends with the command that runs now; stop the dialog to end it");
      const stopped = await dialogs.stopBackground(owner.dialogId, owner.background);
      // If the command has ended in the meantime, so have its servers.
      return stopped.ok || stopped.refusal.kind === "not-running" ? answer() : refusalAnswer(stopped.refusal);
    },
  });
  route(app, "/sandbox/servers/:port/request", {
    POST: ({ param, request }) => (selector === null ? nothing() : requestServer(selector.askServer, param("port"), request)),
  });
}
