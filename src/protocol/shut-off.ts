/** Whether one of the policies (they come joined with commas) gives its document an opaque origin. */
export function isShutOff(policies: string | null): boolean {
  return (policies ?? "").split(",").some((policy) => {
    const directives = policy.split(";").map((directive) => directive.trim().toLowerCase().split(/\s+/));
    // Of a directive that stands there twice the first counts.
    const first = directives.find(([name]) => name === "sandbox");
    return first !== undefined && !first.includes("allow-same-origin");
  });
}
