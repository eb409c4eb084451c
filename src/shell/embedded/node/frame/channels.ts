/** A process, as an owner of channel ends. */
export interface Holder {
  portPosted(end: string, data: unknown): void;
  portClosed(end: string): void;
}

/** The maximum number of open channels between the processes of a program. */
export const mostChannels = 10_000;

/**
 * The message ports that were sent to another process, by the names of their ends. Messages on them go through the shell, so that they arrive after
 * file changes that were made before them. Any process that knows the name of an end may post to it: all of them belong to one program.
 */
export interface Channels {
  /** `from` sends these ends to `to`. False: too many channels are open. */
  give(ends: readonly string[], from: Holder, to: Holder): boolean;
  /** Posts to the process that owns the end; the ends in `ports` go to it, too. False: too many channels are open. */
  post(end: string, data: unknown, ports: readonly string[], from: Holder): boolean;
  /** `from` sends these ends to no process: they are closed. */
  lose(ends: readonly string[], from: Holder): void;
  /** Closes the channel, and tells the process that owns the other end. */
  close(end: string): void;
  /** Closes what an ended process owned. */
  left(holder: Holder): void;
}

const isFirst = (end: string): boolean => end.endsWith(".0");
const channelOf = (end: string): string => end.slice(0, -2);

export function createChannels(): Channels {
  /** The owners of both ends of each channel. */
  const open = new Map<string, readonly [Holder, Holder]>();
  const holderOf = (end: string): Holder | undefined => open.get(channelOf(end))?.[isFirst(end) ? 0 : 1];

  function close(end: string): void {
    const [first, second] = open.get(channelOf(end)) ?? [];
    open.delete(channelOf(end));
    if (isFirst(end)) second?.portClosed(`${channelOf(end)}.1`);
    else first?.portClosed(`${channelOf(end)}.0`);
  }

  function give(ends: readonly string[], from: Holder, to: Holder): boolean {
    for (const end of ends) {
      const [first, second] = open.get(channelOf(end)) ?? [from, from];
      open.set(channelOf(end), isFirst(end) ? [to, second] : [first, to]);
    }
    return open.size <= mostChannels;
  }

  function lose(ends: readonly string[], from: Holder): void {
    // The shell learns of a channel only when one of its ends is sent.
    give(ends, from, from);
    for (const end of ends) close(end);
  }

  return {
    give,
    lose,
    post(end, data, ports, from) {
      const to = holderOf(end);
      if (to === undefined) {
        lose(ports, from);
        return true;
      }
      const isGiven = give(ports, from, to);
      to.portPosted(end, data);
      return isGiven;
    },
    close,
    left(holder) {
      for (const [channel, [first, second]] of open) {
        if (first === holder) close(`${channel}.0`);
        else if (second === holder) close(`${channel}.1`);
      }
    },
  };
}
