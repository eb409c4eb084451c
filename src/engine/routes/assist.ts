import * as v from "valibot";
import type { Usage } from "../cost/usage.ts";
import { type AssistRecord, type Assisted, createAssistRecord } from "../outside/assist-record.ts";
import { voiceUsage } from "../outside/voice-usage.ts";
import { isModelName } from "../names.ts";
import type { Stop } from "../providers/provider.ts";
import { noVoice, type VoiceAnswer, type VoiceRequest } from "../providers/voice.ts";
import { json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, type Fetch, route } from "./route.ts";
import { detail, readDetailed } from "./session-bodies.ts";
import { translate } from "./translate.ts";
import { withPsk } from "./with-psk.ts";

/** The maximum bytes of a recording, characters of a text to translate and to speak, milliseconds for an answer, and characters of an answer. */
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
/** A language code, such as `de`. */
const recordingLanguage = /^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/;

type AssistContext = Pick<RouteContext, "agents" | "files" | "now" | "providers" | "gateway" | "later">;

/** The usage that a provider reported. `hasSound`: it includes sound, to which a price for text tokens doesn't apply. */
type Took = Pick<Assisted, "usage" | "used"> & { readonly hasSound: boolean };

/** Services that a phone uses besides sessions: transcription, translation, and speech. A provider's key never leaves the page. */
export function assistRoutes(context: AssistContext, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  app.mistake = detail;
  app.missing = () => detail(404, "Not Found");
  const { files, now, providers } = context;
  const withKey = withPsk(context);
  let made: AssistRecord | null = null;

  /** Records the usage before the program gets the answer. If that can't be stored, only the record is lost, not the answer, which was paid for. */
  async function note(done: Pick<Assisted, "provider" | "model" | "began" | "words">, { usage, used, hasSound }: Took): Promise<void> {
    const agents = await context.agents();
    made ??= createAssistRecord({ dialogs: agents.dialogs, files, now });
    const known = agents.costOf(done.provider, done.model, usage);
    // Price lists have a single price for input tokens. A price that the user set is used as it is.
    const cost = hasSound && known?.reported === false && known.price?.source.by !== "you" ? null : known;
    const stored = await made.add({ ...done, usage, used, cost }).catch((error: unknown) => {
      report(error);
      return true;
    });
    if (!stored) report(new Error(`not stored: ${done.words}`));
  }

  /**
   * Does the work within the time limit. Null if the time ran out: then the work is aborted. A response that arrived in time may still stream its
   * body.
   */
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

  /** `size` is what to record if the server's answer never comes or can't be read to its end, because servers charge for that, too. */
  async function voice<T>(
    request: Request,
    asked: VoiceRequest,
    words: string,
    size: string,
    read: (response: Response) => Promise<{ readonly value: T; readonly took: Took }>,
  ): Promise<{ readonly ok: true; readonly value: T } | Extract<VoiceAnswer, { ok: false }> | Response> {
    const stopped = await held("openai", providers.defaultModel("openai") ?? "");
    if (stopped) return stopped;
    const provider = providers.provider("openai");
    const began = now();
    let model: string | null = null;
    let isLost = false;
    const answer = await timely(request, async (signal) => {
      try {
        const said = (await provider?.voice?.(asked, signal, (name) => (model = name))) ?? noVoice;
        if (!said.ok) return said;
        const { value, took } = await read(said.response);
        return { ok: true, value, took, model: said.model } as const;
      } catch (error) {
        isLost = true;
        const message = error instanceof Error ? error.message : String(error);
        return { ok: false, kind: "refused", message: `Couldn't ask the provider: ${message}` } as const;
      }
    });
    if ((answer === null || isLost) && model !== null)
      await note({ provider: "openai", model, began, words }, { usage: null, used: size, hasSound: true });
    if (answer === null) return late();
    if (answer.ok) await note({ provider: "openai", model: answer.model, began, words }, answer.took);
    return answer;
  }

  route(app, "/api/voice/transcribe", {
    POST: withKey(async ({ request, url }) => {
      const spoken = url.searchParams.get("language");
      if (spoken !== null && !recordingLanguage.test(spoken)) return detail(422, "language: expected a code such as de");
      const recording = await recordingIn(request);
      if (recording === null) return detail(422, "file: expected a recording, as the body or as a field of a form");
      if (recording.size > most.recording) return detail(413, "The recording is too long");
      const size = `${recording.size} bytes`;
      const read = async (response: Response) => {
        const transcript = await transcriptIn(response);
        const { tokens, seconds, hasSound } = voiceUsage(transcript?.usage);
        const used = seconds === null ? (tokens === null ? size : null) : `${seconds} seconds`;
        return { value: transcript?.heard ?? null, took: { usage: tokens, used, hasSound } };
      };
      const answer = await voice(request, { kind: "transcribe", recording, language: spoken }, "Wrote down a recording.", size, read);
      if (answer instanceof Response) return answer;
      if (!answer.ok) return failed(answer);
      return answer.value === null ? detail(502, "The provider answered no text") : json(answer.value);
    }),
  });

  route(app, "/api/tts", {
    POST: withKey(async ({ request }) => {
      const body = await readDetailed(request, speakBody);
      if (!body.ok) return body.answer;
      const { text: spoken, voice: by = null } = body.value;
      const size = `${spoken.length} characters`;
      const took = { usage: null, used: size, hasSound: true };
      const answer = await voice(request, { kind: "speak", text: spoken, voice: by }, "Spoke a text.", size, async (response) => ({
        value: response,
        took,
      }));
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
      const began = now();
      const reported: { usage: Usage | null } = { usage: null };
      const used = (usage: Usage) => void (reported.usage = usage);
      const done = await timely(request, (signal) => translate(provider, model, { text: words, target, source }, signal, used));
      const { usage } = reported;
      // An error without reported tokens cost nothing, and neither does the scripted provider.
      const isPaid = usage !== null || done === null || done.ok || done.stop.kind !== "error";
      if (isPaid && named !== "demo") {
        const took = { usage, used: usage === null ? `${words.length} characters` : null, hasSound: false };
        await note({ provider: named, model, began, words: `Translated a text into ${target}.` }, took);
      }
      if (done === null) return late();
      return done.ok ? json({ translation: done.translation }) : notTranslated(done.stop);
    }),
  });

  /** Mistral's large model if the provider is Mistral. Otherwise the provider's default model. */
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

/** Null if the request has no recording. */
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

interface Transcript {
  readonly heard: { readonly text: string; readonly language?: string };
  readonly usage: unknown;
}

/** Null if the answer is not a transcript. */
async function transcriptIn(response: Response): Promise<Transcript | null> {
  const answer = await response.text();
  if (answer.length > most.answer) return null;
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value !== "object" || value === null || !("text" in value) || typeof value.text !== "string") return null;
    const { text: heard } = value;
    return {
      heard: "language" in value && typeof value.language === "string" ? { text: heard, language: value.language } : { text: heard },
      usage: "usage" in value ? value.usage : null,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
