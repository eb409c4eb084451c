// A stand-in for the part of opencode that loads plug-ins, from the published types of its plug-ins: it calls the plug-in that the bridge prints.

interface Hooks {
  readonly event: (input: { readonly event: { readonly type: string; readonly properties: object } }) => Promise<void>;
  readonly "tool.execute.before": (input: object, output: { readonly args: object }) => Promise<void>;
  readonly "tool.execute.after": (
    input: object,
    output: { readonly title: string; readonly output: string; readonly metadata: object },
  ) => Promise<void>;
  readonly "chat.message": (
    input: { readonly sessionID: string },
    output: { readonly message: object; readonly parts: readonly object[] },
  ) => Promise<void>;
}

/** `modern`: the client has `permission.reply`, as later versions do. */
export async function opencode(plugin: string, directory: string, modern: boolean) {
  const loaded = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(plugin)}`)) as {
    Vibey(input: object): Promise<Hooks>;
  };
  const [prompts, aborts, replies]: [string[], string[], object[]] = [[], [], []];
  const client = {
    session: {
      prompt: async ({ body }: { body: { parts: readonly { text: string }[] } }) =>
        void prompts.push(body.parts.map(({ text }) => text).join("\n")),
      abort: async ({ path }: { path: { id: string } }) => void aborts.push(path.id),
    },
    ...(modern
      ? { permission: { reply: async (reply: object) => void replies.push(reply) } }
      : { postSessionIdPermissionsPermissionId: async (reply: object) => void replies.push(reply) }),
  };
  return { hooks: await loaded.Vibey({ client, directory, worktree: directory, project: {} }), prompts, aborts, replies };
}
