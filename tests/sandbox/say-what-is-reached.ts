/** In a worker: answers which of these names are there. */
export function sayWhatIsReached(): void {
  addEventListener("message", ({ data }: MessageEvent<{ readonly globals: readonly string[]; readonly navigator: readonly string[] }>) => {
    const reached = [
      ...data.globals.filter((name) => Reflect.get(globalThis, name) !== undefined),
      ...data.navigator.filter((name) => Reflect.get(navigator, name) !== undefined).map((name) => `navigator.${name}`),
    ];
    postMessage(reached);
  });
}
