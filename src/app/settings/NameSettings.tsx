import { createSignal, createUniqueId } from "solid-js";
import type { UserAnswer } from "../../protocol/index.ts";
import { body, json } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import * as t from "../texts/settings.ts";
import { createField } from "./field.ts";
import { Problem } from "../ui/Problem.tsx";

const readUser = () => json<UserAnswer>("user");
const writeUser = (name: string) => json<UserAnswer>("user", body("PUT", { name } satisfies UserAnswer));

/** The name that agents use for the user. It is saved when the field loses the focus, and at Enter. */
export function NameSettings() {
  const id = createUniqueId();
  const [asked, setAsked] = createSignal(0);
  const answer = createLatest(asked, readUser);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [said, setSaid] = createSignal("");
  const saved = () => {
    const now = answer();
    return now?.ok === true ? now.value.name : "";
  };
  const unread = () => {
    const now = answer();
    return now?.ok === false ? t.nameNotRead(now.message) : null;
  };
  const field = createField(() => (answer()?.ok === true ? saved() : undefined));
  async function save(name: string) {
    if (name.trim() === saved()) return;
    const done = await writeUser(name);
    setProblem(done.ok ? null : t.nameNotSaved(done.message));
    setSaid(done.ok ? t.nameSaved : "");
    if (!done.ok) return;
    field.saved(name, done.value.name);
    setAsked(asked() + 1);
  }
  return (
    <form
      class="user-name"
      onSubmit={(event) => {
        event.preventDefault();
        event.currentTarget.querySelector("input")?.blur();
      }}
    >
      <h3>
        <label for={id}>{t.yourName}</label>
      </h3>
      <input
        id={id}
        value={field.value()}
        maxlength={60}
        autocomplete="off"
        placeholder={t.owner}
        aria-describedby={`${id}-hint`}
        onInput={(event) => field.type(event.currentTarget.value)}
        onChange={(event) => void save(event.currentTarget.value)}
      />
      <p id={`${id}-hint`} class="hint">
        {t.nameHint}
      </p>
      <output class="hint">{said()}</output>
      <Problem text={problem() ?? unread()} />
    </form>
  );
}
