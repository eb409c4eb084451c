import type { AgentState } from "../../protocol/index.ts";
import { type Shape, shapes } from "../overview/states.ts";

/** The same shapes as in the overview, and one each for states that the overview doesn't distinguish. */
const shapeOf: Readonly<Record<AgentState, Shape | null>> = {
  running: "running",
  asks: "asks",
  queued: "queued",
  paused: "stopped",
  completed: "done",
  error: "error",
  aborted: null,
  idle: null,
};
const own: Readonly<Record<string, (typeof shapes)[Shape]>> = {
  aborted: { path: "M2 2h8v8H2Z", filled: true },
  idle: { path: "M1 6h10", filled: false },
};

export const iconOf = (state: AgentState): (typeof shapes)[Shape] => {
  const shape = shapeOf[state];
  return shape === null ? (own[state] ?? shapes.queued) : shapes[shape];
};

/** The shape of a state, always shown beside its name. */
export const StateIcon = (props: { state: AgentState }) => (
  <svg class="mark" viewBox="0 0 12 12" aria-hidden="true">
    <path class={iconOf(props.state).filled ? "filled" : "line"} d={iconOf(props.state).path} />
  </svg>
);
