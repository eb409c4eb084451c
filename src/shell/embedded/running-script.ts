/** One running script of just-bash, as far as we look into it. */
export interface Interpreter {
  /** `state`: its variables and whatever else it keeps. */
  readonly ctx: { readonly fs: object; readonly state: object };
}
