// The remaining entries of Map and Set iterators, for `inspect`. Engines don't reveal them, so they are read from the iterator, which then returns
// them again.
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

/** Pairs look like entries; nothing else distinguishes the two. */
const isPair = (value, tag) =>
  Array.isArray(value) &&
  value.length === 2 &&
  Object.keys(value).length === 2 &&
  (tag !== "[object Set Iterator]" || Object.is(value[0], value[1]));

/** The result in V8's form: alternating keys and values with `true`, or single values with `false`. */
export function previewEntries(value) {
  const tag = toString.call(value);
  if (!Object.hasOwn(next, tag)) return [[], false];
  let found;
  try {
    found = restOf(value, tag);
  } catch (error) {
    // It only claims to be one.
    if (error instanceof TypeError) return [[], false];
    throw error;
  }
  const { rest, areEntries } = found;
  return [areEntries ? rest.flat() : [...rest], areEntries];
}
