import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import type { HighlightDone, HighlightOrder } from "./highlight-worker.ts";
import url from "./highlight-worker.ts?worker&url";
import { limitedWorker } from "./limited-worker.ts";
import type { Piece } from "./pieces.ts";

/** Milliseconds until a text is given up, and stays uncolored. */
const patience = 3_000;

const order = limitedWorker<HighlightOrder, HighlightDone>(
  () => new Worker(trustedWorkerUrl(url), { type: "module", name: "highlight" }),
  patience,
  () => true,
);

/** The text in pieces. Null if the language isn't known or it takes too long: the text then stays as it is. */
export const highlight = (language: string, text: string): Promise<readonly Piece[] | null> =>
  new Promise((done) =>
    order(
      (id) => ({ id, language, text }),
      (answer) => done(answer?.pieces ?? null),
    ),
  );
