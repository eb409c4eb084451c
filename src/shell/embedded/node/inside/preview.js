// What iterators of Map and Set have left, for `inspect`. Engines tell no one, so it is taken out, and the iterator gives it from then on.
const { toString } = Object.prototype;
const nextOf = (made) => Object.getPrototypeOf(made).next;
const next = { "[object Map Iterator]": nextOf(new Map().keys()), "[object Set Iterator]": nextOf(new Set().keys()) };

const taken = new WeakMap();

function restOf(iterator, tag) {
  if (taken.has(iterator)) return taken.get(iterator);
  const rest = [];
  for (let step = next[tag].call(iterator); !step.done; step = next[tag].call(iterator)) rest.push(step.value);
  const found = { rest, areEntries: rest.length > 0 && rest.every((one) => isPair(one, tag)) };
  taken.set(iterator, found);
  const give = () => (rest.length > 0 ? { value: rest.shift(), done: false } : { value: undefined, done: true });
  Object.defineProperty(iterator, "next", { value: give, configurable: true, writable: true });
  return found;
}

/** Pairs look like entries: nothing else tells the two apart. */
const isPair = (value, tag) =>
  Array.isArray(value) &&
  value.length === 2 &&
  Object.keys(value).length === 2 &&
  (tag !== "[object Set Iterator]" || Object.is(value[0], value[1]));

/** In V8's words: keys and values in turn with `true`, or single values with `false`. */
export function previewEntries(value) {
  const tag = toString.call(value);
  if (!Object.hasOwn(next, tag)) return [[], false];
  let found;
  try {
    found = restOf(value, tag);
  } catch (error) {
    // It only calls itself so.
    if (error instanceof TypeError) return [[], false];
    throw error;
  }
  const { rest, areEntries } = found;
  return [areEntries ? rest.flat() : [...rest], areEntries];
}
