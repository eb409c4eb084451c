import { Show } from "solid-js";
import * as t from "../texts/preview.ts";
import * as words from "../texts/servers-inside.ts";
import type { ServerPage } from "./server-page.ts";

/**
 * What a server's page may do. Its origin is a host of its own, without access to this page. With an opaque origin it could not reach its own server.
 */
const allowed = "allow-scripts allow-same-origin allow-forms allow-modals allow-popups";

export function ServerFrame(props: { page: ServerPage }) {
  const shown = () => {
    const url = props.page.url();
    return url === null || props.page.flooded() ? null : { url, load: props.page.load() };
  };
  return (
    <Show
      when={shown()}
      keyed
      fallback={<output class="stopped">{props.page.flooded() ? t.flooded : words.gone(props.page.port() ?? 0)}</output>}
    >
      {({ url }) => (
        <iframe
          ref={props.page.setFrame}
          title={words.pageOf(props.page.port() ?? 0)}
          src={url}
          sandbox={allowed}
          referrerpolicy="no-referrer"
        />
      )}
    </Show>
  );
}
