import type { Program } from "../program.ts";
import { type Channels, createChannels } from "./channels.ts";
import { mostProcesses, type ProgramFrame } from "./frame-connection.ts";

/** Processes that one program starts in all; a program that starts others without end comes no further. */
const mostStarted = 256;

export const tooManyProcesses = `node: not started: at most ${mostProcesses} processes run at one time here, and a program starts at most ${mostStarted}\n`;

/** What the processes of one program share. */
export interface Room {
  readonly program: Program;
  readonly frame: ProgramFrame;
  readonly channels: Channels;
  /** Takes the place of one process; false: there are too many. */
  enter(): boolean;
  leave(): void;
  /** Grows whenever one of them, or a command of theirs, may have changed files. */
  version: number;
  /** Changes of files that could not be taken over. */
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
