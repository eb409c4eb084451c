import { type Component, createResource, Show } from "solid-js";
import * as t from "../texts/frame.ts";

type Load<Props extends object> = () => Promise<{ default: Component<Props> }>;

/**
 * A part of the screen whose code loads when it is needed. If that fails, for example offline after a new version, the part says so, and loads again
 * when it is shown the next time. Each place that shows it waits on its own. With Solid's `lazy`, all of them would wait for the first one, and stay empty if it is removed before the code has
 * loaded.
 */
export function lazyPart<Props extends object>(load: Load<Props>): Component<Props> & { preload: () => Promise<unknown> } {
  let loading: Promise<Component<Props>> | undefined;
  let loaded: Component<Props> | undefined;
  const begin = async () => {
    try {
      return (loaded = (await load()).default);
    } catch (error) {
      loading = undefined;
      return notLoaded<Props>(error);
    }
  };
  const preload = () => (loading ??= begin());
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

/** Shown in place of the part. */
function notLoaded<Props extends object>(error: unknown): Component<Props> {
  const why = error instanceof Error ? error.message : String(error);
  return () => (
    <p class="problem column not-loaded" role="alert">
      {t.partNotLoaded(why)}
    </p>
  );
}
