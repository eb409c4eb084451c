/** One running script of just-bash, as far as we look into it. */
export interface Interpreter {
  /** `state`: its variables and whatever else it keeps. */
  readonly ctx: { readonly fs: object; readonly state: object };
}

/** `set -x` holds. */
export function traces({ ctx: { state } }: Interpreter): boolean {
  const options: unknown = Reflect.get(state, "options");
  return typeof options === "object" && options !== null && Reflect.get(options, "xtrace") === true;
}
