import { createSignal, type JSX, Show } from "solid-js";
import type { ZipContents } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/zip.ts";
import { agentNameOf, agentsIn, ownAgentsIn } from "./agents-inside.ts";
import { Capped } from "./Capped.tsx";
import { Inactive } from "./Inactive.tsx";
import { historyWords, insideWords } from "./format.ts";
import type { Choice } from "./zip.ts";
import { ZipFiles } from "./ZipFiles.tsx";

/** Where a zip should go, how conflicts are handled, and whether what could run is accepted. */
export interface Wanted {
  readonly into: "new" | "here";
  readonly choice: Choice;
  readonly accept: boolean;
}

interface InsideProps {
  readonly name: string;
  readonly contents: ZipContents;
  /** What the user chose before an import that was stopped or failed. */
  readonly wanted: Wanted | null;
  readonly problem: string | null;
  readonly take: (wanted: Wanted) => void;
  readonly again: () => void;
  readonly close: () => void;
}

/** The maximum number of agents that are named. */
const maxNames = 5;

/** The contents of the zip, and the questions where it should go and how to handle conflicts. */
export function Inside(props: InsideProps) {
  // oxlint-disable-next-line solid/reactivity -- what is inside does not change while it is shown.
  const { contents, wanted } = props;
  const [into, setInto] = createSignal(wanted?.into ?? (contents.canBeNew ? "new" : "here"));
  const [choice, setChoice] = createSignal<Choice>(wanted?.choice ?? "mine");
  const [accept, setAccept] = createSignal(wanted?.accept ?? false);
  const conflicts = contents.files.filter(({ standing }) => standing === "conflict");
  const agents = agentsIn(contents);
  const own = ownAgentsIn(contents);
  const withHistory = contents.history.kind === "whole";
  const repository = contents.files.some(({ standing }) => standing === "repository");
  return (
    <form
      class="zip-inside"
      onSubmit={(event) => {
        event.preventDefault();
        props.take({ into: into(), choice: choice(), accept: accept() });
      }}
    >
      <section aria-label={t.whatIsInside}>
        <h3>
          <Visible text={props.name} />
        </h3>
        <p>
          {insideWords(contents)} {historyWords(contents.history)}
        </p>
        <ZipFiles contents={contents} />
        <Show when={own.length > 0}>
          <p>
            <Visible text={t.ownAgentsInside(own.length, own.slice(0, maxNames))} />
          </p>
        </Show>
        <Show when={agents.length > 0}>
          <p>
            <Visible text={t.agentsInside(agents.length, agents.slice(0, maxNames).map(agentNameOf))} />
          </p>
        </Show>
      </section>
      <Inactive contents={contents} accept={accept()} setAccept={setAccept} />
      <fieldset>
        <legend>{t.whereTo}</legend>
        <Show when={contents.canBeNew}>
          <Option name="into" checked={into() === "new"} choose={() => setInto("new")} label={t.intoNew}>
            {t.intoNewWhat(withHistory)}
          </Option>
        </Show>
        <Option name="into" checked={into() === "here"} choose={() => setInto("here")} label={t.intoHere}>
          {t.intoHereWhat(withHistory)}
        </Option>
      </fieldset>
      <Show when={into() === "here" && conflicts.length > 0}>
        <fieldset>
          <legend>{t.whichToKeep(conflicts.length)}</legend>
          <Option name="choice" checked={choice() === "mine"} choose={() => setChoice("mine")} label={t.mine}>
            {t.mineWhat}
          </Option>
          <Option name="choice" checked={choice() === "theirs"} choose={() => setChoice("theirs")} label={t.theirs}>
            {t.theirsWhat}
          </Option>
          <Option name="choice" checked={choice() === "both"} choose={() => setChoice("both")} label={t.both}>
            {t.bothWhat}
          </Option>
          <Capped label={t.filesInTheWay} items={conflicts.map(({ path }) => path)}>
            {(path) => <Visible text={path} />}
          </Capped>
        </fieldset>
      </Show>
      <Show when={into() === "here" && repository}>
        <p>{t.twoRepositories}</p>
      </Show>
      <Show when={props.problem}>
        {(problem) => (
          <div role="alert">
            <p class="problem">{problem()}</p>
            <button type="button" class="quiet" onClick={() => props.again()}>
              {t.lookAgain}
            </button>
          </div>
        )}
      </Show>
      <div class="buttons">
        <button type="submit" class="primary" disabled={contents.files.length === 0}>
          {into() === "new" ? t.makeProject : t.takeIn}
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          {t.leaveIt}
        </button>
      </div>
    </form>
  );
}

function Option(props: { name: string; checked: boolean; choose: () => void; label: string; children: JSX.Element }) {
  return (
    <label class="zip-option">
      <input type="radio" name={props.name} checked={props.checked} onChange={() => props.choose()} />
      {props.label} <span class="zip-note">{props.children}</span>
    </label>
  );
}
