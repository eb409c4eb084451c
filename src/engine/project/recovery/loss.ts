import type { RecoveryAnswer } from "../../../protocol/index.ts";
import { failure } from "../../routes/answers.ts";

/** Why a project can't be opened, or can't stay open. */
export type Loss = Pick<RecoveryAnswer, "why" | "message">;

/** Whether the database opens and has files, so that it could be kept next to the backup. */
export const opens = ({ why }: Loss): boolean => why === "behind" || why === "other" || why === "partial";

/** The answer to every request to a lost project. The header tells the page, whatever it requested. */
export function lost({ message }: Loss): Response {
  const answer = failure(503, `The project's storage is gone. Nothing was saved. ${message}`.trimEnd());
  answer.headers.set("vibey-storage", "lost");
  return answer;
}
