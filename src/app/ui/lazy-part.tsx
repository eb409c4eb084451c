import { type Component, lazy } from "solid-js";
import * as t from "../texts/frame.ts";

/** A part of the screen whose code comes when it is needed. Where it can't be had, such as after a new version without a network, the part says so. */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: Component<Props> }>) =>
  lazy(async (): Promise<{ default: Component<Props> }> => {
    try {
      return await load();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        default: () => (
          <p class="problem column" role="alert">
            {t.partNotLoaded(why)}
          </p>
        ),
      };
    }
  });
