/** Inserted by scripts/vite/service-worker.ts: every file of the build, and the rules of public/_headers. */
declare module "virtual:built" {
  export const files: readonly { readonly url: string; readonly revision: string | null; readonly integrity: string }[];
  /** Files that are stored once they have been used. */
  export const late: readonly { readonly url: string; readonly integrity: string }[];
  export const rules: readonly { readonly pattern: string; readonly headers: Readonly<Record<string, string>> }[];
}
