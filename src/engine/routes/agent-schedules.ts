import * as v from "valibot";
import { human } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { docAuthority } from "../../dialog/authority.ts";
import { readSchedule, scheduleLine, withLine, withoutSchedule } from "../../dialog/schedule.ts";
import type { ScheduleBody, SchedulesAnswer } from "../../protocol/index.ts";
import type { AgentLookup } from "../agents/agent-lookup.ts";
import type { DialogStore } from "../dialogs/store.ts";
import { maxScheduled } from "../scheduler/due.ts";
import type { Schedules } from "../scheduler/schedules.ts";
import { failure, json, storageAnswer, tagOf } from "./answers.ts";
import { readBody, text } from "./body.ts";
import { route, type Routes } from "./route.ts";

const body = v.object({
  etag: v.nullable(v.string("expected a text or null")),
  add: v.optional(text),
  remove: v.optional(text),
}) satisfies v.GenericSchema<unknown, ScheduleBody>;

export interface ScheduleRouteContext {
  readonly files: Pick<Files, "read">;
  readonly store: Pick<DialogStore, "other">;
  readonly schedules: Pick<Schedules, "rows" | "canStart">;
  readonly agents: Pick<AgentLookup, "find">;
  readonly now: () => Date;
}

/** The lines of doc-main.md that start agents. A click adds or removes a line, so only the page may call this. */
export function scheduleRoutes(app: Routes, { files, store, schedules, agents, now }: ScheduleRouteContext): void {
  const main = vibeyPath("doc-main.md");
  async function read() {
    const content = await files.read(main);
    const version = content?.version ?? null;
    return { version, tag: tagOf(version), content: content ? new TextDecoder().decode(content.bytes) : "" };
  }
  async function answer(): Promise<Response> {
    const { tag } = await read();
    const rows = await Promise.all(
      (await schedules.rows()).map(async ({ read: one, last, next }) => {
        const value = one.ok ? one.schedule.value : one.value;
        if (!one.ok) return { value, rule: value, slug: null, problem: `${one.why}.`, last: null, next: null };
        const { slug, rule } = one.schedule;
        const isThere = (await agents.find(slug)) !== null;
        const problem = !isThere
          ? `there is no active agent ${slug}.`
          : schedules.canStart()
            ? null
            : "no provider has a key now. Add one in Settings.";
        return {
          value,
          rule,
          slug,
          problem,
          last: last && { dialogId: last.dialogId, time: last.time },
          next: problem === null ? next : null,
        };
      }),
    );
    return json({ etag: tag, anHour: maxScheduled, schedules: rows } satisfies SchedulesAnswer);
  }
  const changed = (): Response => failure(412, "doc-main.md was changed meanwhile; nothing was stored");

  route(app, "/agents/schedules", {
    GET: answer,
    PUT: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { add, remove } = parsed.value;
      if ((add === undefined) === (remove === undefined)) return failure(400, "body: expected either add or remove");
      const { version, tag, content } = await read();
      if (tag !== parsed.value.etag) return changed();
      const wanted = add === undefined ? null : readSchedule(add);
      if (wanted?.ok === false) return failure(400, `add: ${wanted.why}`);
      const isThere = (await schedules.rows()).some((row) => row.read.ok && row.read.schedule.rule === add);
      if (isThere) return failure(409, "doc-main.md has this schedule already");
      const next =
        add === undefined
          ? withoutSchedule(content, remove ?? "")
          : withLine(content, scheduleLine(add, now()), (line) => docAuthority(line).length > 0);
      const expect = [{ path: main, version }];
      const data = new TextEncoder().encode(next);
      const stored = await store.other([{ op: "write", path: main, data }], { durability: "strict", by: human, expect });
      if (stored.ok) return answer();
      return stored.failure.kind === "conflict" ? changed() : storageAnswer(stored.failure.kind);
    },
  });
}
