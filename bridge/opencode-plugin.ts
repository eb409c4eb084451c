import { type HookOptions, keyVariable } from "./hook-settings.ts";

/** A plug-in for opencode, as `.opencode/plugins/vibey.js`. */
export function opencodePlugin({ base }: HookOptions): string {
  return `// Reports to Vibey what opencode does, asks there, and hears there what you write. The key stands in ${keyVariable}.
const post = async (body, query = "") => {
  try {
    const answer = await fetch(${JSON.stringify(`${base}/hooks/opencode`)} + query, {
      method: "POST",
      headers: { "content-type": "application/json", "x-agent-key": process.env.${keyVariable} ?? "" },
      body: JSON.stringify(body),
    });
    return answer.ok ? await answer.json() : {};
  } catch {
    // Without Vibey, opencode's own question decides.
    return {};
  }
};

export const Vibey = async ({ client, directory: cwd }) => {
  const given = new Set();
  const asked = new Set();
  // What was written in Vibey goes to the session, and comes back as a message of its user's.
  const give = async (id, { messages = [], stop = false }) => {
    if (stop) await client.session.abort({ path: { id } });
    for (const text of messages) {
      given.add(text);
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text }] } });
    }
  };
  const tell = async (type, properties, query) => give(properties.sessionID, await post({ type, cwd, properties }, query));
  const answer = async ({ id, sessionID }, { reply, message }) => {
    if (!reply) return;
    // The client that plug-ins get has no call of its own for this one, which takes a reason along.
    const told = await client.postSessionIdPermissionsPermissionId({
      url: "/permission/{requestID}/reply",
      path: { requestID: id },
      body: { reply, message },
    });
    if (told?.response?.ok) return;
    await client.postSessionIdPermissionsPermissionId({ path: { id: sessionID, permissionID: id }, body: { response: reply } });
  };
  // What the agent said last.
  const said = async (id) => {
    try {
      const { data = [] } = await client.session.messages({ path: { id } });
      const last = data.findLast(({ info }) => info.role === "assistant");
      return last?.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\\n\\n") || undefined;
    } catch {
      // Without it the record still says that the agent waits.
      return undefined;
    }
  };
  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      const text = parts.filter((part) => part.type === "text").map((part) => part.text).join("\\n");
      if (!given.delete(text)) void tell("message.user", { sessionID, text });
    },
    "tool.execute.before": async (input, output) => {
      void tell("tool.execute.before", { ...input, args: output.args });
    },
    "tool.execute.after": async (input, output) => {
      void tell("tool.execute.after", { ...input, output: output.output });
    },
    event: async ({ event: { type, properties } }) => {
      if (["permission.v2.asked", "permission.asked", "permission.updated"].includes(type)) {
        if (asked.has(properties.id)) return;
        asked.add(properties.id);
        await answer(properties, await post({ type, cwd, properties }));
      } else if (type === "session.idle") {
        await tell(type, { ...properties, response: await said(properties.sessionID) });
        void tell(type, properties, "?wait=1");
      } else if (["session.created", "session.deleted", "session.error"].includes(type)) {
        void post({ type, cwd, properties });
      }
    },
  };
};
`;
}
