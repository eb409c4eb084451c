/** "Coder", "Coder and Critic", "Coder, Critic and Vibe". */
export const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

export const isThinking = (name: string) => `${name} is thinking…`;
export const isQueued = (name: string) => `${name} is queued.`;
export const needsApproval = (name: string) => `${name} needs your approval.`;
export const needsYou = (name: string) => `${name} is waiting for you.`;
export const wasStopped = (name: string) => `${name} was stopped before answering.`;
export const wasInterrupted = (name: string) => `${name} was interrupted before answering.`;
export const openDialog = "Open dialog";
export const answersHere = (names: readonly string[]) =>
  `${joined(names)} will answer. This dialog's own agent won't see it until you write to it.`;
export const answersInRoom = (names: readonly string[]) => `${joined(names)} will answer.`;
export const order = "Order";
export const atOnce = "At the same time";
export const oneByOne = "One after another";
export const inTurns = "In turns, up to 10 replies";
export const turnsHint =
  "They answer each other in a side discussion until one writes DONE or there are 10 replies. Then Vibe adds a summary here.";
export const thenAnswers = (names: readonly string[]) => `Then ${names.join(", then ")} will answer.`;
export const beBrief = "Ask for a short answer";
/** Added to the message. */
export const briefly = "Be brief.";
export const ownAnswers = "This dialog's own agent will answer.";
export const askOwn = "Ask this dialog's agent instead";
export const askThem = (names: readonly string[]) => `Ask ${joined(names)}`;
export const agents = "Agents";
export const noneYet = "This project has no agents yet.";
export const addRoster = "Add Vibe and Coder";
export const notAdded = (why: string) => `Couldn't add the agents: ${why}`;
export const notListed = (why: string) => `Couldn't list the agents: ${why}`;
