// A stand-in for the part of opencode that loads plug-ins, with the behavior of 1.18.33. It calls the plug-in that the bridge prints.

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

interface Post {
  /** Missing: the default URL of the call. */
  readonly url?: string;
  readonly path: { readonly requestID?: string };
  readonly body: object;
}

/** `reasons`: the server accepts a reason for a denial, as in 1.18.33. `said`: the agent's texts. */
export async function opencode(plugin: string, directory: string, reasons: boolean, said: readonly string[] = []) {
  const loaded = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(plugin)}`)) as {
    Vibey(input: object): Promise<Hooks>;
  };
  const [prompts, aborts, replies]: [string[], string[], object[]] = [[], [], []];
  const client = {
    session: {
      prompt: async ({ body }: { body: { parts: readonly { text: string }[] } }) =>
        void prompts.push(body.parts.map(({ text }) => text).join("\n")),
      messages: async () => ({
        data: said.map((text) => ({ info: { role: "assistant" }, parts: [{ type: "step-start" }, { type: "text", text }] })),
      }),
      abort: async ({ path }: { path: { id: string } }) => void aborts.push(path.id),
    },
    async postSessionIdPermissionsPermissionId({ url, path, body }: Post) {
      if (url === undefined) replies.push({ path, body });
      else if (reasons) replies.push({ to: url.replace("{requestID}", path.requestID ?? ""), ...body });
      return { response: { ok: url === undefined || reasons } };
    },
  };
  return { hooks: await loaded.Vibey({ client, directory, worktree: directory, project: {} }), prompts, aborts, replies };
}
