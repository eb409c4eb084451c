import * as v from "valibot";
import type { UserAnswer } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { UserStore } from "../settings/settings.ts";
import { json } from "./answers.ts";
import { readBody, text } from "./body.ts";
import { route, type Routes } from "./route.ts";

const body = v.object({
  name: v.pipe(
    text,
    v.trim(),
    v.maxLength(limits.userName, `expected at most ${limits.userName} characters`),
    // A label begins and ends with a bracket.
    v.check((name) => !/[\p{C}\p{Zl}\p{Zp}[\]]/u.test(name), "expected one line without [ and ]"),
  ),
});

/** The user's name for agents, on this device. */
export function userRoutes(app: Routes, settings: UserStore): void {
  route(app, "/user", {
    GET: async () => json({ name: await settings.readUser() } satisfies UserAnswer),
    PUT: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      await settings.writeUser(parsed.value.name);
      return json({ name: parsed.value.name } satisfies UserAnswer);
    },
  });
}
