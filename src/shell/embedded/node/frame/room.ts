import type { Program } from "../program.ts";
import type { ProgramFrame } from "./frame-connection.ts";

/** Processes of one program that live at one time; a program that starts others without end comes no further. */
export const mostProcesses = 16;
/** And in all. */
const mostStarted = 256;

/** What the processes of one program share. */
export interface Room {
  readonly program: Program;
  readonly frame: ProgramFrame;
  /** Takes the place of one process; false: there are too many. */
  enter(): boolean;
  leave(): void;
  /** Grows whenever one of them, or a command of theirs, may have changed files. */
  version: number;
  /** Changes of files that could not be taken over. */
  lost: number;
}

export function createRoom(program: Program, frame: ProgramFrame): Room {
  let living = 0;
  let started = 0;
  return {
    program,
    frame,
    version: 0,
    lost: 0,
    enter() {
      if (living >= mostProcesses || started >= mostStarted) return false;
      living++;
      started++;
      return true;
    },
    leave: () => void living--,
  };
}
