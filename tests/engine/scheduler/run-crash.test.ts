import * as fc from "fast-check";
import { expect, test } from "vitest";
import { agentOf } from "../../../src/dialog/agent.ts";
import { allowedIn } from "../../../src/engine/agents/allowed.ts";
import { agentTools } from "../../../src/engine/agents/definition.ts";
import { toolPermissionsOf, type Launcher } from "../../../src/engine/agents/tool-permissions.ts";
import { dialogCalls } from "../../../src/dialog/edit.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { fromOf } from "../../../src/dialog/replies.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { teamStep } from "../../../src/engine/providers/demo/team.ts";
import type { DialogAnswer, DialogListing } from "../../../src/protocol/index.ts";
import { lawRuns } from "../../law-runs.ts";
import { soon } from "../../soon.ts";
import { deferred } from "../deferred.ts";
import { type Bench, call, ended, type Reply } from "../harness.ts";
import { change, run, start, team } from "./team.ts";

/** The demo's run of five, without any waiting. */
const answer: Reply = ({ dialog, system }) => {
  const step = teamStep(dialog, system);
  if (!step) throw new Error("no part");
  return [{ type: "text", text: step.text }, ...step.calls.map(({ id, name, input }) => call(id, name, input)), ended];
};

async function dialogs(b: Bench) {
  const all = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
  return Promise.all(all.map(async ({ dialogId, filename }) => ({ dialogId, dialog: parseDialog(await b.text(`vibey/${filename}`)) })));
}

/** Approves the calls of a cut answer, which are left to the user. */
async function decide(b: Bench): Promise<void> {
  for (const { dialogId, state } of (await run(b)).agents) {
    if (state !== "asks") continue;
    const view = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
    const pending = view.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call.id] : [])),
    );
    await (await b.ask("PUT", "/dialog", { dialogId, decisions: pending.map((id) => `${id}: approve`).join("\n") })).text();
  }
}

/** The power fails at the n-th commit: the commit is stored, and nothing happens after it. */
async function untilPowerGoes(n: number) {
  const store = memoryStore();
  const off = deferred<"off">();
  let commits = 0;
  const starting = team(
    {},
    {
      store,
      answer,
      aroundCommit: async (commit) => {
        commits += 1;
        if (commits < n) return commit();
        if (commits === n) await commit();
        off.resolve("off");
        return new Promise(() => undefined);
      },
    },
  );
  const whole = starting.then(async (b) => {
    await start(b);
    await soon(async () => expect((await run(b)).state).toBe("completed"));
    return "passed" as const;
  });
  // Ignore what waits for a commit that never comes.
  whole.catch(() => undefined);
  return { store, passed: (await Promise.race([whole, off.promise])) === "passed" };
}

/** The distance between the commits that are tried. The longer law runs try each commit. */
const apart = process.env["VIBEY_LAWS"] === undefined ? 7 : 1;

test("the power goes at any commit of a run of five: after Resume each signal and each agent is there once, and no one has more than its starter", async () => {
  let last = 0;
  for (let n = 1; ; n += apart) {
    const { store, passed } = await untilPowerGoes(n);
    const b = await team({}, { store, answer });
    const all = await dialogs(b);
    if (all.length > 0) {
      await change(b, { paused: false });
      await soon(async () => {
        await decide(b);
        const { agents } = await run(b);
        expect(agents.filter(({ state }) => state !== "completed").map(({ file, state }) => `${n}: ${file} ${state}`)).toEqual([]);
        expect(agents).toHaveLength(5);
      });
      const after = await dialogs(b);
      const byId = new Map(after.map(({ dialogId, dialog }) => [dialogId, dialog]));
      const sent = after.flatMap(({ dialogId, dialog }) =>
        dialogCalls(dialog).flatMap(({ id, name, result }) =>
          name === "signal_parent" && JSON.stringify(result).includes('"success":true') ? [`${dialogId} ${id}`] : [],
        ),
      );
      const received = after.flatMap(({ dialog }) =>
        dialog.sections.flatMap((section) => {
          const from = fromOf(section);
          return from?.kind === "signal" ? [`${from.dialogId} ${from.call}`] : [];
        }),
      );
      expect(received.toSorted()).toEqual(sent.toSorted());
      expect(new Set(received).size).toBe(received.length);
      for (const { dialog } of after) {
        const parent = byId.get(dialog.head.find(({ key }) => key === "Launched by")?.value ?? "");
        if (!parent) continue;
        const [own, above] = [agentOf(dialog)?.tools ?? [], agentOf(parent)?.tools ?? []];
        expect(own.filter((tool) => !above.includes(tool))).toEqual([]);
        expect([...allowedIn(dialog)].filter((tool) => !allowedIn(parent).has(tool))).toEqual([]);
      }
    }
    expect(b.reported).toEqual([]);
    last = n;
    if (passed) break;
  }
  expect(last).toBeGreaterThan(30);
});

const tools = fc.subarray([...agentTools]);

test("law: no chain of agents widens what the first one has", () => {
  fc.assert(
    fc.property(tools, fc.array(tools, { maxLength: 5 }), (first, chain) => {
      let by: Launcher = { tools: first, ceiling: agentTools, agents: null, reads: null, writes: null };
      for (const wants of chain) {
        const next = toolPermissionsOf("x", wants, by);
        expect(next.tools.filter((tool) => !first.some((one) => one === tool))).toEqual([]);
        by = { ...by, ...next };
      }
    }),
    lawRuns(100),
  );
});
