const known = new WeakMap<object, number>();

/** UTF-16 units of a message as JSON. Computed once for all readers of the message. */
export function sizeOf(message: object): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const size = JSON.stringify(message).length;
  known.set(message, size);
  return size;
}
