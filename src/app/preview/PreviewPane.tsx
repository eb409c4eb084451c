// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./preview.css";
import { createEffect, createSignal, onCleanup, Show } from "solid-js";
import type { ServerView } from "../../protocol/index.ts";
import { listDeed, readDeed } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { Visible } from "../calls/Visible.tsx";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/preview.ts";
import { createBuilder, isolatesFrames } from "./build/builder.ts";
import { engineOf, openChannels } from "./channels.ts";
import { Console } from "./Console.tsx";
import { createPreviewFeed } from "./frame.ts";
import { createWholeScreen } from "./full-screen.ts";
import { keepFocus } from "./keep-focus.ts";
import { createLive } from "./live.ts";
import { RunQuestion } from "./RunQuestion.tsx";
import { createServerPage } from "./server-page.ts";
import { ServerFrame } from "./ServerFrame.tsx";
import { askSite } from "./served/server-calls.ts";
import { keyOf, siteOf } from "./served/servers.ts";
import { ServerList } from "./ServerList.tsx";
import { allowedFeatures, createShutOff, previewPage, withoutIsolation } from "./shut-off.ts";
import { Toolbar, type Width } from "./Toolbar.tsx";
import { onChange } from "../ui/on-change.ts";

/**
 * `rest`: milliseconds between removing a frame and adding another (an earlier one would get the process that still loops). `hello`: milliseconds in
 * which the new frame has to say hello. `tries`: how often it is replaced again, each time after twice the rest.
 */
const renewal = { rest: 1_000, hello: 5_000, tries: 3 } as const;

export interface PreviewProps {
  readonly events: EngineEvents;
  /** The servers of the project's commands. */
  readonly servers: readonly ServerView[];
  /** A server that the user wants to see; set each time they do. */
  readonly server: ServerView | null;
  /** Whether the project has pages of its own. */
  readonly hasPages: boolean;
  /** Whether the preview opened by itself. Then the page must not take the focus. */
  readonly unasked: boolean;
  readonly close: () => void;
}

/** "Run anyway" stays in effect until the app is reloaded: it is about the browser, not about a page. */
const [accepted, setAccepted] = createSignal(false);

/** What the agents have built, in a frame without access to this page; or the page of one of its servers. */
export default function PreviewPane(props: PreviewProps) {
  const [load, setLoad] = createSignal(1);
  const [frame, setFrame] = createSignal<HTMLIFrameElement>();
  const [pane, setPane] = createSignal<HTMLElement>();
  const [stopped, setStopped] = createSignal<false | "asked" | "flooded">(false);
  const [live, setLive] = createSignal(true);
  const [width, setWidth] = createSignal<Width>("full");
  const shutOff = createShutOff(load);
  /** The channels that the page could use, until the user says to run it anyway; null: there are none, or it may run. */
  const asking = () => {
    const shut = shutOff();
    const channels = shut === null || accepted() ? [] : openChannels(engineOf(navigator), shut.listed);
    return channels.length > 0 ? channels : null;
  };
  const builder = createBuilder(!isolatesFrames());
  onCleanup(builder.close);
  const feed = createPreviewFeed({
    frame,
    source: { list: listDeed, read: readDeed },
    build: builder.build,
    askSite,
    flooded: () => stop("flooded"),
  });
  const whole = createWholeScreen(pane);
  createEffect(() => {
    const shown = pane();
    if (shown && props.unasked) onCleanup(keepFocus(shown));
  });

  const server = createServerPage(() => props.servers);
  onChange(
    () => props.server,
    (wanted) => {
      const asked = props.servers.find((each) => keyOf(each) === keyOf(wanted)) ?? (props.hasPages ? undefined : props.servers[0]);
      if (asked) openServer(asked);
    },
  );
  /** The built-in shell's server whose page is shown. */
  const [served, setServed] = createSignal<ServerView | null>(null);
  /** null: shows the project's own pages. */
  function openServer(next: ServerView | null) {
    const site = next === null ? null : siteOf(next);
    const isFramed = next !== null && site === null;
    setServed(site === null ? null : next);
    server.open(isFramed ? next.port : null);
    // Each server gets a new frame, so that late requests of the previous page don't reach the next server.
    feed.serve(site);
    setStopped(false);
    if (!isFramed) setLoad(load() + 1);
  }
  /** Since when the shown server has been listening. After a restart, its page is loaded again. */
  const since = () => props.servers.find((each) => keyOf(each) === keyOf(served()))?.since;
  onChange(since, (now, before) => now !== undefined && before !== now && feed.connected() && void feed.refresh(), { defer: true });

  const shownKey = () => {
    const port = server.port();
    return keyOf(port === null ? served() : (props.servers.find((each) => each.port === port && each.url !== null) ?? null));
  };

  const [renewing, setRenewing] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  let taken = 0;
  function stop(why: "asked" | "flooded" = "asked") {
    clearTimeout(timer);
    feed.disconnect();
    taken = performance.now();
    setRenewing(false);
    setStopped(why);
  }
  /** A frame whose scripts never pause can't receive messages. Another frame replaces it, in a process that isn't blocked. */
  function renew(tries = 0) {
    if (!stopped()) stop();
    clearTimeout(timer);
    setRenewing(true);
    timer = setTimeout(
      () => {
        setRenewing(false);
        setLoad(load() + 1);
        setStopped(false);
        timer = setTimeout(() => {
          if (!feed.connected() && tries < renewal.tries) renew(tries + 1);
        }, renewal.hello);
      },
      Math.max(0, taken + renewal.rest * 2 ** tries - performance.now()),
    );
  }
  const reload = () => (stopped() || feed.stalled() ? renew() : void feed.refresh());

  const changes = createLive((paths) => {
    if (!live() || server.port() !== null || served() !== null) return;
    if (stopped() || feed.stalled()) renew();
    else feed.changed(paths);
  });
  onCleanup(() => changes.cancel());
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (event) => {
    if (event.type === "deed") changes.add(event.data.path);
    // The file list shows changes that were missed, and a file that could not be read is read again.
    else if (event.type === "hello" && feed.connected() && live() && server.port() === null) feed.changed(new Set());
  });
  function setLiveAndCatchUp(wanted: boolean) {
    setLive(wanted);
    if (wanted) reload();
  }

  return (
    <section ref={setPane} class="preview" classList={{ whole: whole.on() }} aria-label={t.preview}>
      <Toolbar
        page={feed.place()?.path ?? null}
        pages={server.port() === null && served() === null ? feed.pages() : []}
        choose={(path) => {
          if (stopped() || feed.stalled()) renew();
          feed.open(path);
        }}
        reload={() => (server.port() === null ? reload() : server.reload())}
        live={server.port() === null && served() === null ? live() : null}
        setLive={setLiveAndCatchUp}
        width={width()}
        setWidth={setWidth}
        whole={whole.on()}
        setWhole={(wanted) => (wanted ? whole.enter() : whole.leave())}
        close={() => props.close()}
      />
      <Show when={props.servers.length > 0 || server.port() !== null || served() !== null}>
        <ServerList servers={props.servers} shown={shownKey()} open={openServer} hasPages={props.hasPages} />
      </Show>
      <div
        class="stage"
        classList={{ [width()]: true }}
        aria-busy={server.port() === null && feed.state() === "loading" && asking() === null}
      >
        <Show when={server.port() === null} fallback={<ServerFrame page={server} />}>
          <Show
            when={!stopped()}
            fallback={<output class="stopped">{renewing() ? t.starting : stopped() === "flooded" ? t.flooded : t.stopped}</output>}
          >
            <Show when={asking()}>
              {(channels) => <RunQuestion channels={channels()} run={() => setAccepted(true)} dontRun={() => props.close()} />}
            </Show>
            <Show when={asking() === null && shutOff()} keyed>
              {/* Allows scripts, forms and dialog boxes; never the page's origin. */}
              {(shut) => (
                <iframe
                  ref={setFrame}
                  title={t.whatIsBuilt}
                  src={previewPage}
                  sandbox={shut.sandbox}
                  allow={allowedFeatures}
                  {...withoutIsolation(shut)}
                />
              )}
            </Show>
          </Show>
        </Show>
      </div>
      <Show when={feed.stalled() && !stopped() && server.port() === null}>
        <p class="problem stalled" role="alert">
          <span>{t.stalled}</span>
          <button type="button" class="quiet" onClick={() => stop()}>
            {t.stopPage}
          </button>
        </p>
      </Show>
      <Show when={server.port() === null && feed.problem()}>
        {(problem) => (
          <p class="problem" role="alert">
            <Parts of={t.ended} slots={{ why: () => <Visible text={problem()} /> }} />
          </p>
        )}
      </Show>
      <Console
        state={server.port() === null ? feed.console.state() : server.console.state()}
        clear={() => (server.port() === null ? feed : server).console.clear()}
      />
    </section>
  );
}
