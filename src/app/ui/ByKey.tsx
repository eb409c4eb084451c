import { type Accessor, createMemo, For, type JSX, Show } from "solid-js";

/**
 * Rows that stay in the page while their key is in the list, whatever object describes them now. A row that is built again loses the focus, and a
 * click that has begun on it. Keys must differ.
 */
export function ByKey<T>(props: {
  each: readonly T[];
  by: (item: T) => string;
  children: (item: Accessor<T>, index: Accessor<number>) => JSX.Element;
}) {
  const items = createMemo(() => new Map(props.each.map((item) => [props.by(item), { item }])));
  return (
    <For each={[...items().keys()]}>
      {(key, index) => (
        <Show when={items().get(key)}>
          {(found) => {
            const item = () => found().item;
            return <>{props.children(item, index)}</>;
          }}
        </Show>
      )}
    </For>
  );
}
