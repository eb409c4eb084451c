interface Asked {
  readonly globals: readonly string[];
  readonly navigator: readonly string[];
  /** Asks for the ways to run text as code instead. */
  readonly texts?: boolean;
}

const kinds = {
  Function: () => undefined,
  async: async () => undefined,
  generator: function* () {
    yield undefined;
  },
  ["async generator"]: async function* () {
    yield undefined;
  },
};

function makesCode(attempt: () => unknown): boolean {
  try {
    return typeof attempt() === "function";
  } catch {
    return false;
  }
}

function waysFromText(): string[] {
  const made = Object.entries(kinds).filter(([, kind]) => makesCode(() => Reflect.construct(kind.constructor, [""])));
  const evaluates = makesCode(() => Reflect.apply(Reflect.get(globalThis, "eval"), null, ["() => 1"]));
  return [...made.map(([name]) => name), ...(evaluates ? ["eval"] : []), ...timersOfText()];
}

/** The timers that accept text. Browsers have timers on a prototype of the global, where they remain when others shadow them. */
function timersOfText(): string[] {
  const found: string[] = [];
  for (let holder: object | null = globalThis; holder !== null; holder = Reflect.getPrototypeOf(holder))
    for (const name of ["setTimeout", "setInterval"]) {
      const timer: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
      if (typeof timer !== "function") continue;
      try {
        clearTimeout(Number(Reflect.apply(timer, globalThis, ["0"])));
        found.push(name);
      } catch {
        // This timer accepts no text.
      }
    }
  return found;
}

/** In a worker: answers which of these names exist. */
export function sayWhatIsReached(): void {
  addEventListener("message", ({ data }: MessageEvent<Asked>) => {
    const reached = [
      ...data.globals.filter((name) => Reflect.get(globalThis, name) !== undefined),
      ...data.navigator.filter((name) => Reflect.get(navigator, name) !== undefined).map((name) => `navigator.${name}`),
    ];
    postMessage(data.texts === true ? waysFromText() : reached);
  });
}
