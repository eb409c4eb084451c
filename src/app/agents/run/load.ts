import type { ChangeRunBody, NewRunBody, RunStarted, RunView } from "../../../protocol/index.ts";
import { body, json } from "../../model/api/calls.ts";

export const readRuns = () => json<readonly RunView[]>("agents/runs");
export const startRun = (run: NewRunBody) => json<RunStarted>("agents/runs", body("POST", run));
export const changeRun = (change: ChangeRunBody) => json<RunView>("agents/runs", body("PUT", change));
