/** What scripts/vite/service-worker.ts puts in: every file of the build, and the rules of public/_headers. */
declare module "virtual:built" {
  export const files: readonly { readonly url: string; readonly revision: string | null; readonly integrity: string }[];
  /** What is kept once it was used. */
  export const late: readonly { readonly url: string; readonly integrity: string }[];
  export const rules: readonly { readonly pattern: string; readonly headers: Readonly<Record<string, string>> }[];
}
