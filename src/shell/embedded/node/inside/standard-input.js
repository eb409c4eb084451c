// stdin. All of it is available when a program starts, unless another program writes it while this one runs.
import { Buffer, toBuffer } from "./buffer.js";
import { systemError } from "./errors.js";
import { host } from "./host.js";

/** The id under which `hold` keeps the process alive while it waits for stdin; no other process has it. */
const own = -1;

/** The unread chunks; null: not loaded yet. */
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

/** Receives a chunk; null: the end. */
export function hearStdin(bytes) {
  look();
  if (bytes === null) ended = true;
  else if (bytes.length > 0) pieces.push(toBuffer(bytes));
  else return;
  if (waiting.length === 0) return;
  host("hold", own, false);
  for (const { run } of waiting.splice(0)) run();
}

/** Whether a read must wait. */
export function stdinWaits() {
  look();
  return pieces.length === 0 && !ended;
}

/** Calls `run` once there is data or the end. Returns a function that cancels it. */
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

/** Up to `length` bytes of the available data; empty at the end. */
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

/** The available data, which stays unread. */
export function givenStdin() {
  look();
  return Buffer.concat(pieces);
}

/** Takes all data that has arrived. */
export function takeAllStdin() {
  const taken = [];
  for (let piece = takeStdin(); piece.length > 0; piece = pieces.length > 0 ? takeStdin() : Buffer.alloc(0)) taken.push(piece);
  return Buffer.concat(taken);
}
