import { RECORD_FORMAT } from "../../dialog/outside.ts";
import type { PutRefusal } from "../dialogs/outcome.ts";
import { failure } from "./answers.ts";

/** The router's answer for a refusal: what was wrong and what stays unchanged. */
export function refusalAnswer(refusal: PutRefusal): Response {
  switch (refusal.kind) {
    case "unknown-dialog":
      return failure(404, "Dialog not found");
    case "active":
      return failure(409, "The agent is working. Stop it, or wait until its turn is over. Nothing was saved.");
    case "run-active":
      return failure(
        409,
        "Agents of this run are working, waiting for their turn, or asking you. Stop or answer them first. Nothing was deleted.",
      );
    case "undecided":
      return failure(409, `Approve or deny these tool calls first: ${refusal.ids.join(", ")}. Nothing was saved.`, {
        undecided: refusal.ids,
      });
    case "not-failed":
      return failure(409, "The last turn did not fail, so there is nothing to try again. Nothing was stored.");
    case "changed":
      if (refusal.ids.length === 0) return failure(409, "The dialog changed in the meantime. Nothing was saved.");
      return failure(409, `The request changed after you saw it: ${refusal.ids.join(", ")}. Nothing was run. Review it again.`, {
        changed: refusal.ids,
      });
    case "decided": {
      const made = refusal.calls
        .map((call) => `${call.id} was ${call.decision}${call.withOtherArguments ? " with other arguments" : ""}`)
        .join(", ");
      return failure(409, `Already decided: ${made}. Nothing was stored.`, { decided: refusal.calls });
    }
    case "stopped": {
      const calls = refusal.ids.join(", ");
      return failure(409, `You stopped the agent before this approval arrived, so nothing was run: ${calls}. Nothing was saved.`, {
        stopped: refusal.ids,
      });
    }
    case "question": {
      const { host, given, open } = refusal;
      const expected = open === null ? "no question is open in this dialog" : `the open question is ${open.question}, about ${open.host}`;
      const was =
        given === null
          ? `A question about ${host} is open, and the answer does not name it`
          : `The question ${given} about ${host} is not open any more`;
      return failure(409, `${was}: ${expected}. Nothing was stored.`, { question: open?.question ?? null });
    }
    case "unanswered":
      return failure(422, `${refusal.id} asks you something. Answer each question, or deny it and say why. Nothing was stored.`);
    case "unfit":
      return failure(422, `The changed arguments of ${refusal.id} don't fit its tool: ${refusal.why}. Nothing was stored.`);
    case "format":
      if (refusal.format === RECORD_FORMAT)
        return failure(409, "This is the record of an agent outside, and this would not reach it. Nothing was stored.");
      return failure(409, `The dialog has format ${String(refusal.format)}, which this Vibey only shows. Nothing was stored.`);
    case "settled":
      return failure(409, `The call ${refusal.id} has its answer already. Nothing was stored.`);
    case "exists":
      return failure(409, `The dialog's file is ${refusal.filename}. Nothing was stored.`);
    case "not-running":
      return failure(409, `No command ${refusal.id} of this dialog runs in the background. Nothing was stopped.`);
    case "no-message":
      return failure(400, `message: expected 1 to ${refusal.messages}, the number of a message; there is no ${refusal.message}`);
    case "not-said":
      return failure(400, `message: expected the number of a user message, because there is a prompt; ${refusal.message} is the agent's`);
    case "no-text":
      return failure(409, `Message ${refusal.message} has no text to discuss. Nothing was stored.`);
    case "too-few":
      return failure(
        409,
        `order: turns needs two agents or more that are active in vibey/; found: ${refusal.agents.join(", ") || "none"}. Nothing was stored.`,
      );
    case "no-fork":
      return failure(409, "This dialog isn't a fork, so there is nothing to resolve. Nothing was stored.");
    case "other-message":
      return failure(422, "This Idempotency-Key was that of another message. Nothing was stored.");
    case "no-summary":
      return failure(409, "There is no summary of this fork yet. Resolve it first. Nothing was stored.");
    case "storage":
      return failure(507, refusal.message);
  }
}
