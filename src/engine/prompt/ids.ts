/**
 * Call ids that an API accepts: letters, digits, `_` and `-`, at most `maxLength` of them, each used once.
 *
 * Pass a dialog's ids in file order. A valid id stays. Any other becomes `call_<its number>`. The result depends only on the ids before it, so a
 * growing dialog keeps the names of its earlier calls.
 */
export function wireIds(maxLength: number): WireIds {
  const names: string[] = [];
  const taken = new Set<string>();
  return {
    next(id) {
      const number = names.length + 1;
      let name = id.length <= maxLength && /^[a-zA-Z0-9_-]+$/.test(id) && !taken.has(id) ? id : `call_${number}`;
      for (let suffix = 2; taken.has(name); suffix++) name = `call_${number}_${suffix}`;
      taken.add(name);
      names.push(name);
      return name;
    },
    get count() {
      return names.length;
    },
    cut(count) {
      for (const name of names.splice(count)) taken.delete(name);
    },
  };
}

export interface WireIds {
  next(id: string): string;
  readonly count: number;
  /** Forgets all ids except the first `count`. */
  cut(count: number): void;
}

/** A tool name that every API accepts. A valid name stays the same. */
export function wireToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, "_").slice(0, 64) || "unknown";
}
