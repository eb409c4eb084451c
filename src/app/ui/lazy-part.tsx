import { type Component, createResource, Show } from "solid-js";
import * as t from "../texts/frame.ts";

type Load<Props extends object> = () => Promise<{ default: Component<Props> }>;

/**
 * A part of the screen whose code loads when it is needed. If that fails, for example offline after a new version, the part says so. Each place that
 * shows it waits on its own. With Solid's `lazy`, all of them would wait for the first one, and stay empty if it is removed before the code has
 * loaded.
 */
export function lazyPart<Props extends object>(load: Load<Props>): Component<Props> & { preload: () => Promise<unknown> } {
  let loading: Promise<Component<Props>> | undefined;
  let loaded: Component<Props> | undefined;
  const preload = () => (loading ??= partOf(load).then((part) => (loaded = part)));
  const Lazy: Component<Props> = (props) => {
    const [part] = createResource(() => loaded ?? preload());
    return (
      <Show when={part()} keyed>
        {(Part) => <Part {...props} />}
      </Show>
    );
  };
  return Object.assign(Lazy, { preload });
}

async function partOf<Props extends object>(load: Load<Props>): Promise<Component<Props>> {
  try {
    return (await load()).default;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return () => (
      <p class="problem column not-loaded" role="alert">
        {t.partNotLoaded(why)}
      </p>
    );
  }
}
