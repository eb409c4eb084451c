/** A process, as far as ends of channels between processes come to it. */
export interface Holder {
  portPosted(end: string, data: unknown): void;
  portClosed(end: string): void;
}

/** Channels between processes that are open at one time in a program. */
export const mostChannels = 10_000;

/**
 * The message ports that were sent to another process, by the names of their ends. What is said on one comes through the shell, so that it comes after
 * the changes of files that were made before it. Any process that knows the name of an end may post to it: all of them are one program's.
 */
export interface Channels {
  /** `from` sends these ends to `to`; false: too many channels are open. */
  give(ends: readonly string[], from: Holder, to: Holder): boolean;
  /** To the process that has that end. It gets the ends in `ports`, too. False: too many channels are open. */
  post(end: string, data: unknown, ports: readonly string[], from: Holder): boolean;
  /** `from` sends these ends where no process is: they are closed. */
  lose(ends: readonly string[], from: Holder): void;
  /** The process that has the other end is told. */
  close(end: string): void;
  /** A process has ended, and what it had is closed. */
  left(holder: Holder): void;
}

const isFirst = (end: string): boolean => end.endsWith(".0");
const channelOf = (end: string): string => end.slice(0, -2);

export function createChannels(): Channels {
  /** Who has which end. */
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
    // The shell hears of a channel only when one of its ends is sent.
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
