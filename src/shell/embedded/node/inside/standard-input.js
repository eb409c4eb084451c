// What comes on stdin: all of it is there when a program starts, but where another program writes it meanwhile.
import { Buffer, toBuffer } from "./buffer.js";
import { systemError } from "./errors.js";
import { host } from "./host.js";

/** The process lives as long as it waits for stdin: `hold` knows it by this number, which no other process has. */
const own = -1;

/** What has come and was not read; null: nothing was looked at yet. */
let pieces = null;
let isPiped = false;
let ended = false;
const waiting = [];

function look() {
  if (pieces !== null) return;
  const given = host("stdin");
  isPiped = given === null;
  ended = !isPiped;
  pieces = isPiped || given.length === 0 ? [] : [toBuffer(given)];
}

/** A piece came; null: there will be no more. */
export function hearStdin(bytes) {
  look();
  if (bytes === null) ended = true;
  else if (bytes.length > 0) pieces.push(toBuffer(bytes));
  else return;
  if (waiting.length === 0) return;
  host("hold", own, false);
  for (const { run } of waiting.splice(0)) run();
}

/** Whether a read has to wait. */
export function stdinWaits() {
  look();
  return pieces.length === 0 && !ended;
}

/** Calls `run` once there is something to read, or the end. The answer takes that back. */
export function whenStdin(run) {
  const one = { run };
  waiting.push(one);
  host("hold", own, true);
  return () => {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length === 0) host("hold", own, false);
  };
}

/** At most so many bytes of what has come; nothing: it has ended. */
export function takeStdin(length = Infinity) {
  if (stdinWaits()) throw systemError("EAGAIN", "read");
  const first = pieces.shift();
  if (first === undefined) return Buffer.alloc(0);
  if (first.length > length) {
    pieces.unshift(first.subarray(length));
    return first.subarray(0, length);
  }
  return first;
}

/** What has come and was not read; it stays there. */
export function givenStdin() {
  look();
  return Buffer.concat(pieces);
}

/** All that has come, and the rest where nothing more will come. */
export function takeAllStdin() {
  const taken = [];
  for (let piece = takeStdin(); piece.length > 0; piece = pieces.length > 0 ? takeStdin() : Buffer.alloc(0)) taken.push(piece);
  return Buffer.concat(taken);
}
