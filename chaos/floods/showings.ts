/** How often a text is shown whose task was too long. Of these the shortest counts: what else the machine does makes a task longer, and never shorter. */
const mostShowings = 6;

interface Shown {
  /** The milliseconds that count. */
  readonly ms: number;
  readonly times: number;
}

/**
 * Shows a text until its longest task is short enough, each further time on a fresh page (`isAgain`), so that nothing that the page has kept makes it
 * short. A page that froze once is enough.
 */
export async function showUntilShort(show: (isAgain: boolean) => Promise<number>, longest: number): Promise<Shown> {
  let ms = Infinity;
  for (let times = 1; ; times += 1) {
    const took = await show(times > 1);
    if (took === Infinity) return { ms: took, times };
    ms = Math.min(ms, took);
    if (ms <= longest || times === mostShowings) return { ms, times };
  }
}
