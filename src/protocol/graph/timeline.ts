import type { Step } from "./model.ts";
import { GraphFold } from "./fold.ts";

/** The number of steps between two saved copies: the most that going back costs. */
const apart = 2_000;

/**
 * The graph at any moment of a growing list of steps. Going one step forward costs one step. Going anywhere else costs at most the steps between two
 * copies.
 */
export class Timeline {
  readonly #steps: Step[] = [];
  readonly #apart: number;
  readonly #kept: GraphFold[] = [new GraphFold()];
  #now = new GraphFold();

  constructor(between = apart) {
    this.#apart = between;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  add(steps: readonly Step[]): void {
    for (const step of steps) this.#steps.push(step);
  }

  /** The graph after that many steps. Returns the same object each time, which changes with the next call. */
  at(count: number): GraphFold {
    const wanted = Math.max(0, Math.min(count, this.#steps.length));
    const nearest = this.#kept[Math.min(this.#kept.length - 1, Math.floor(wanted / this.#apart))];
    if (nearest !== undefined && (this.#now.count > wanted || this.#now.count < nearest.count)) this.#now = nearest.copy();
    while (this.#now.count < wanted) {
      const step = this.#steps[this.#now.count];
      if (step === undefined) break;
      this.#now.apply(step);
      if (this.#now.count === this.#kept.length * this.#apart) this.#kept.push(this.#now.copy());
    }
    return this.#now;
  }
}
