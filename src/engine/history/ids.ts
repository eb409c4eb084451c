/**
 * Call ids that a wire takes: letters, digits, `_` and `-`, at most `maxLength` of them, each used once.
 *
 * Give it a dialog's ids in the order of the file. An id that fits stays; another becomes `call_<its number>`. What an id
 * becomes depends on the ids before it alone, so a dialog that grows keeps the names of its earlier calls.
 */
export function wireIds(maxLength: number): (id: string) => string {
  const taken = new Set<string>();
  let number = 0;
  return (id) => {
    number++;
    let name = id.length <= maxLength && /^[a-zA-Z0-9_-]+$/.test(id) && !taken.has(id) ? id : `call_${number}`;
    for (let suffix = 2; taken.has(name); suffix++) name = `call_${number}_${suffix}`;
    taken.add(name);
    return name;
  };
}

/** A tool name that every wire takes. A name that fits stays as it is. */
export function wireToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, "_").slice(0, 64) || "unknown";
}
