import { duration, number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const loading = "…";
export const exactInput = (verb: string, subject: string) => `Exact input: ${verb} ${subject}`;
export const wholeFile = "Show whole file";
export const contentSize = (size: string, lines: number) => `${size}, ${counted(lines, "line")}`;
export const linesHidden = (lines: number) => `${counted(lines, "line")} hidden`;
export const charactersHidden = (characters: number) => `${number(characters)} characters hidden`;
export const allLines = (lines: number) => `Show all ${counted(lines, "line")}`;
export const allCharacters = (characters: number) => `Show all ${number(characters)} characters`;
export const openLaunched = (slug: string) => `Open\u00a0${slug}`;

/** Fields of a call or a result that have no element of their own. */
export const moreFields = (count: number) => `${number(count)} more`;

export const undecided = "undecided";
export const waitsForYou = "waiting for you";
/** The response is still being written, so the call can't be decided yet. */
export const waitsForEnd = "when the answer is complete";
export const denied = "denied by you";
/** An agent outside Vibey started it without asking here. */
export const decidedElsewhere = "decided where the agent runs";
export const stoppedBeforeRun = "not run: you stopped the agent";
/** The call can't run at all, for example because its tool is unknown, so it is rejected without a decision. */
export const nobodysWord = "rejected automatically";
export const approved = "approved by you";
export const approvedChanged = "approved by you with changes";
export const alwaysAllowed = "always allowed";
/** `lines`: each of the two below, at most once. */
export const allowedBy = (lines: readonly string[]) => `allowed by ${lines.join(" and by ")}`;
export const inMain = (lines: string) => `${lines} in main`;
export const inThisDialog = (lines: string) => `${lines} in this dialog`;
export const notStarted = "not started";
export const running = "running";
export const failed = "failed";
export const inBackground = (id: string) => `in the background as ${id}`;

export const outputSoFar = "Output so far";
export const runningFor = (time: string) => `running for ${time}`;
export const runningLonger = (time: string) => `running for over ${time}`;
export const stillRunning = (time: string) => `Still running after ${time}.`;
export const commandWaits = "The command is waiting for you.";
export const elapsed = (seconds: number) => (seconds < 60 ? `${number(seconds)} s` : duration(seconds * 1_000));
