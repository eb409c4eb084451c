/** A running script of just-bash, with the parts that we use. */
export interface Interpreter {
  /** `state`: its variables and the rest of its state. */
  readonly ctx: { readonly fs: object; readonly state: object };
}

/** Whether `set -x` is in effect. */
export function traces({ ctx: { state } }: Interpreter): boolean {
  const options: unknown = Reflect.get(state, "options");
  return typeof options === "object" && options !== null && Reflect.get(options, "xtrace") === true;
}
