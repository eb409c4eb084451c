import * as v from "valibot";
import type { ProviderName } from "../providers/provider.ts";
import { fromBase64url } from "../vault/base64url.ts";
import { passphrase, passphraseProblem } from "../vault/passphrase.ts";
import type { NewSecret, Secret } from "../vault/seal.ts";
import type { Outcome, Vault } from "../vault/vault.ts";
import { failure, json } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, route } from "./route.ts";

export type KeyRoutes = (request: Request) => Promise<Response>;

const passkeyId = { least: 1, most: 1_023 } as const;
/** The number of bytes of a passkey's secret, and of the input it is derived from. */
const passkeyBytes = 32;

const base64url = (least: number, most: number) =>
  v.pipe(
    text,
    v.check(
      (given) => {
        const { length = -1 } = fromBase64url(given) ?? {};
        return length >= least && length <= most;
      },
      `expected ${least === most ? least : `${least} to ${most}`} bytes in base64url`,
    ),
    v.transform((given) => fromBase64url(given) ?? new Uint8Array()),
  );
const secret = {
  passphrase: v.optional(v.pipe(text, v.maxLength(passphrase.most, `expected at most ${passphrase.most} characters`))),
  passkey: v.optional(
    v.object(
      {
        secret: base64url(passkeyBytes, passkeyBytes),
        id: v.optional(base64url(passkeyId.least, passkeyId.most)),
        input: v.optional(base64url(passkeyBytes, passkeyBytes)),
      },
      "expected {secret, id, input}",
    ),
  ),
  device: v.optional(v.literal(true, "expected true")),
};
const bodies = {
  remember: v.object({ ...secret, provider: text }),
  unlock: v.object(secret),
  change: v.object({ ...secret, to: v.object(secret, "expected {passphrase} or {passkey}") }),
};
type Given = v.InferOutput<typeof bodies.unlock>;
type Read<S> = { readonly ok: true; readonly secret: S } | { readonly ok: false; readonly error: string };

const statuses: Readonly<Record<Exclude<Outcome, { ok: true }>["kind"], number>> = {
  wrong: 403,
  locked: 409,
  empty: 409,
  "no-key": 409,
  damaged: 409,
  busy: 409,
};

/** The keys stored on this device. Secrets are only received: no answer contains a secret or a key. */
export function keyRoutes({ vault, providers }: RouteContext, report: (error: unknown) => void): KeyRoutes {
  const app = createRoutes(report);
  const answer = (now: Vault, outcome: Outcome = { ok: true }) =>
    outcome.ok ? json(now.answer()) : failure(statuses[outcome.kind], outcome.message);
  const known = (name: string) => [...providers.addresses().keys()].find((provider) => provider === name);
  const withProvider = async (name: string, use: (now: Vault, provider: ProviderName) => Promise<Outcome>) => {
    const provider = known(name);
    if (provider === undefined) return failure(404, "Provider not found");
    const now = await vault.open();
    return answer(now, await use(now, provider));
  };

  route(app, "/keys", {
    GET: async () => answer(await vault.open()),
    DELETE: async () => {
      const now = await vault.open();
      return answer(now, await now.forgetAll());
    },
  });
  route(app, "/keys/remember", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, bodies.remember);
      if (!parsed.ok) return parsed.answer;
      const { provider, ...given } = parsed.value;
      const now = await vault.open();
      const none = given.passphrase === undefined && given.passkey === undefined && given.device === undefined;
      const read = none ? { ok: true as const, secret: null } : now.answer().state === "none" ? newSecret(given) : anySecret(given);
      return read.ok ? withProvider(provider, (_, name) => now.remember(name, read.secret)) : failure(400, read.error);
    },
  });
  route(app, "/keys/unlock", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, bodies.unlock);
      if (!parsed.ok) return parsed.answer;
      const read = anySecret(parsed.value);
      if (!read.ok) return failure(400, read.error);
      const now = await vault.open();
      return answer(now, await now.unlock(read.secret));
    },
  });
  route(app, "/keys/lock", {
    POST: async () => {
      const now = await vault.open();
      await now.lock();
      return answer(now);
    },
  });
  route(app, "/keys/change", {
    POST: async ({ request }) => {
      const parsed = await readBody(request, bodies.change);
      if (!parsed.ok) return parsed.answer;
      const { to, ...given } = parsed.value;
      const read = anySecret(given);
      if (!read.ok) return failure(400, read.error);
      const next = newSecret(to, "to.");
      if (!next.ok) return failure(400, next.error);
      const now = await vault.open();
      return answer(now, await now.change(read.secret, next.secret));
    },
  });
  route(app, "/keys/:provider", {
    DELETE: ({ param }) => withProvider(param("provider"), (now, provider) => now.forget(provider)),
  });
  return app.fetch;
}

function anySecret({ passphrase: words, passkey, device }: Given): Read<Secret> {
  const secrets: Secret[] = [
    ...(words === undefined ? [] : [{ kind: "passphrase", passphrase: words } as const]),
    ...(passkey === undefined ? [] : [{ kind: "passkey", secret: passkey.secret } as const]),
    ...(device === undefined ? [] : [{ kind: "device" } as const]),
  ];
  const [one] = secrets;
  if (one !== undefined && secrets.length === 1) return { ok: true, secret: one };
  return { ok: false, error: "passphrase: expected a passphrase, a passkey or device: true, one of the three" };
}

/** A new passphrase must be strong enough, and a new passkey must come with its id and input. */
function newSecret(given: Given, under = ""): Read<NewSecret> {
  const read = anySecret(given);
  if (!read.ok) return { ok: false, error: `${under}${read.error}` };
  if (read.secret.kind === "passphrase") {
    const problem = passphraseProblem(read.secret.passphrase);
    return problem === null ? { ok: true, secret: read.secret } : { ok: false, error: `${under}passphrase: ${problem}` };
  }
  if (read.secret.kind === "device") return { ok: true, secret: read.secret };
  const { id, input } = given.passkey ?? {};
  if (id === undefined || input === undefined) return { ok: false, error: `${under}passkey: expected its id and its input too` };
  return { ok: true, secret: { ...read.secret, id, input } };
}
