import * as v from "valibot";
import { isModelName } from "../names.ts";
import type { Stop } from "../providers/provider.ts";
import { noVoice, type VoiceAnswer, type VoiceRequest } from "../providers/voice.ts";
import { json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, type Fetch, route } from "./route.ts";
import { detail, readDetailed } from "./session-bodies.ts";
import { translate } from "./translate.ts";
import { withPsk } from "./with-psk.ts";

/** Bytes of a recording, characters of a text, and milliseconds for an answer. */
const most = { recording: 25_000_000, translated: 20_000, spoken: 4_096, ms: 30_000, answer: 1_000_000 } as const;

const text = (characters: number) =>
  v.pipe(
    v.string("expected text"),
    v.check((value) => value.trim() !== "", "expected text that is not empty"),
    v.maxLength(characters, `expected at most ${characters} characters`),
  );
const language = v.pipe(
  v.string("expected a language"),
  v.regex(/^\p{L}[\p{L}\p{M} ()-]{1,39}$/u, "expected a language, such as de or German"),
);
const translateBody = v.object({
  text: text(most.translated),
  target: language,
  source: v.nullish(language),
  provider: v.optional(v.string("expected text")),
  model: v.optional(v.pipe(v.string("expected text"), v.check(isModelName, "expected a model ID"))),
});
const speakBody = v.object({
  text: text(most.spoken),
  voice: v.nullish(v.pipe(v.string("expected text"), v.regex(/^[\w-]{1,64}$/, "expected the name of a voice"))),
});
/** A code, such as `de`. */
const recordingLanguage = /^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/;

type AssistContext = Pick<RouteContext, "agents" | "providers" | "gateway" | "later">;

/** What a phone asks the page for besides sessions: text of a recording, a translation, a recording of a text. No key of a provider leaves the page. */
export function assistRoutes(context: AssistContext, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  app.missing = () => detail(404, "Not Found");
  const { providers } = context;
  const withKey = withPsk(context);

  /** Does it within its time; null: that was over, and it was stopped. What is done in time, such as a response whose body still comes, is left alone. */
  async function timely<T>(request: Request, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const over = new AbortController();
    let isDone = false;
    const isLate = new Promise<null>((resolve) =>
      context.later(() => {
        if (isDone) return;
        over.abort();
        resolve(null);
      }, most.ms),
    );
    const done = work(AbortSignal.any([request.signal, over.signal])).finally(() => (isDone = true));
    return Promise.race([done, isLate]);
  }

  const late = () => detail(504, "The provider did not answer in time");
  const held = async (provider: string, model: string) => {
    const why = await (await context.agents()).heldBack(provider, model);
    return why === null ? null : detail(409, `The project's limit is reached: ${why}`);
  };

  async function voice<T>(
    request: Request,
    asked: VoiceRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | Extract<VoiceAnswer, { ok: false }> | Response> {
    const stopped = await held("openai", providers.defaultModel("openai") ?? "");
    if (stopped) return stopped;
    const provider = providers.provider("openai");
    const answer = await timely(request, async (signal) => {
      try {
        const said = (await provider?.voice?.(asked, signal)) ?? noVoice;
        return said.ok ? ({ ok: true, value: await read(said.response) } as const) : said;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { ok: false, kind: "refused", message: `Couldn't ask the provider: ${message}` } as const;
      }
    });
    return answer ?? late();
  }

  route(app, "/api/voice/transcribe", {
    POST: withKey(async ({ request, url }) => {
      const spoken = url.searchParams.get("language");
      if (spoken !== null && !recordingLanguage.test(spoken)) return detail(422, "language: expected a code such as de");
      const recording = await recordingIn(request);
      if (recording === null) return detail(422, "file: expected a recording, as the body or as a field of a form");
      if (recording.size > most.recording) return detail(413, "The recording is too long");
      const answer = await voice(request, { kind: "transcribe", recording, language: spoken }, (response) => response.text());
      if (answer instanceof Response) return answer;
      if (!answer.ok) return failed(answer);
      const heard = transcriptIn(answer.value);
      return heard === null ? detail(502, "The provider answered no text") : json(heard);
    }),
  });

  route(app, "/api/tts", {
    POST: withKey(async ({ request }) => {
      const body = await readDetailed(request, speakBody);
      if (!body.ok) return body.answer;
      const answer = await voice(
        request,
        { kind: "speak", text: body.value.text, voice: body.value.voice ?? null },
        (response) => response,
      );
      if (answer instanceof Response) return answer;
      if (!answer.ok) return failed(answer);
      const { value: response } = answer;
      if (!/^(?:audio\/|application\/octet-stream)/.test(response.headers.get("content-type") ?? "")) {
        await response.body?.cancel();
        return detail(502, "The provider answered no sound");
      }
      return new Response(response.body, {
        headers: { "content-type": "audio/mpeg", "cache-control": "no-store", "x-content-type-options": "nosniff" },
      });
    }),
  });

  route(app, "/api/translate", {
    POST: withKey(async ({ request }) => {
      const body = await readDetailed(request, translateBody);
      if (!body.ok) return body.answer;
      const { text: words, target, source = null } = body.value;
      const named = body.value.provider ?? providers.names.find((name) => name !== "demo" && providers.answer(name)?.configured === true);
      if (named === undefined) return detail(501, "No provider is set: in Vibey, open Settings and add a key");
      const provider = providers.provider(named);
      if (provider === null) return detail(422, `provider: expected one of ${providers.names.join(", ")}`);
      const model = body.value.model ?? translator(named);
      const stopped = await held(named, model);
      if (stopped) return stopped;
      const done = await timely(request, (signal) => translate(provider, model, { text: words, target, source }, signal));
      if (done === null) return late();
      return done.ok ? json({ translation: done.translation }) : notTranslated(done.stop);
    }),
  });

  /** Mistral's large model where that is the provider; else the one that is chosen. */
  function translator(name: string): string {
    const base = providers.answer(name)?.baseURL ?? "";
    const isMistral = URL.canParse(base) && new URL(base).host === "api.mistral.ai";
    return isMistral ? "mistral-large-latest" : (providers.defaultModel(name) ?? "");
  }

  return app.fetch;
}

function failed({ kind, message }: Extract<VoiceAnswer, { ok: false }>): Response {
  return detail(kind === "unset" ? 501 : 502, message);
}

function notTranslated(stop: Stop): Response {
  switch (stop.kind) {
    case "error":
      return detail(stop.reason === "no-key" ? 501 : 502, stop.message);
    case "max_tokens":
    case "context_window":
      return detail(502, "The text is too long for the model");
    case "refusal":
      return detail(502, "The model declined to translate this");
    default:
      return detail(502, "The translation broke off");
  }
}

/** null: there is none. */
async function recordingIn(request: Request): Promise<Blob | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("multipart/form-data")) {
    const blob = await request.blob();
    return blob.size === 0 ? null : blob;
  }
  try {
    const file = (await request.formData()).get("file");
    return file instanceof Blob && file.size > 0 ? file : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** null: the answer is none. */
function transcriptIn(answer: string): { readonly text: string; readonly language?: string } | null {
  if (answer.length > most.answer) return null;
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") return null;
    const { text: heard } = value;
    return "language" in value && typeof value.language === "string" ? { text: heard, language: value.language } : { text: heard };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
