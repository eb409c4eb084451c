import type { Program } from "../program.ts";
import { type Channels, createChannels } from "./channels.ts";
import { mostProcesses, type ProgramFrame } from "./frame-connection.ts";

/** The maximum number of processes that a program starts in total, so that a program that keeps starting others is stopped. */
const mostStarted = 256;

export const tooManyProcesses = `node: not started: at most ${mostProcesses} processes run at one time here, and a program starts at most ${mostStarted}\n`;

/** What the processes of a program share. */
export interface Room {
  readonly program: Program;
  readonly frame: ProgramFrame;
  readonly channels: Channels;
  /** Reserves a slot for a process. False: there are too many. */
  enter(): boolean;
  leave(): void;
  /** Increases whenever one of the processes, or a command of theirs, may have changed files. */
  version: number;
  /** The number of file changes that could not be applied. */
  lost: number;
}

export function createRoom(program: Program, frame: ProgramFrame): Room {
  let started = 0;
  return {
    program,
    frame,
    channels: createChannels(),
    version: 0,
    lost: 0,
    enter() {
      if (started >= mostStarted || !frame.enter()) return false;
      started++;
      return true;
    },
    leave: () => frame.leave(),
  };
}
