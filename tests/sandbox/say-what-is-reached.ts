/** In a worker: answers which of these names are there. */
export function sayWhatIsReached(): void {
  const scope: Readonly<Record<string, unknown>> = globalThis as never;
  const ofNavigator: Readonly<Record<string, unknown>> = navigator as never;

  addEventListener("message", ({ data }: MessageEvent<{ readonly globals: readonly string[]; readonly navigator: readonly string[] }>) => {
    const reached = [
      ...data.globals.filter((name) => scope[name] !== undefined),
      ...data.navigator.filter((name) => ofNavigator[name] !== undefined).map((name) => `navigator.${name}`),
    ];
    postMessage(reached);
  });
}
