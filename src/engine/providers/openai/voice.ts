import { isObject } from "../../prompt/json.ts";
import type { ProviderDeps } from "../deps.ts";
import { scrub } from "../key.ts";
import { oneLine } from "../one-line.ts";
import { readTarget, type Target, type WireSettings, type Whose } from "../target.ts";
import type { VoiceAnswer, VoiceRequest } from "../voice.ts";

/** The most characters of a server's error text that are passed on. */
const maxSaid = 300;
const elevenLabs = { host: "api.elevenlabs.io", voice: "JBFqnCBsd6RMkjVDRZzb", model: "eleven_multilingual_v2" } as const;

/** Calls `/audio/transcriptions` or `/audio/speech` of an OpenAI-compatible server (also Voxtral), or ElevenLabs for speech. Doesn't retry. */
export async function openaiVoice(
  settings: WireSettings,
  whose: Whose,
  { fetch }: Pick<ProviderDeps, "fetch">,
  request: VoiceRequest,
  signal: AbortSignal,
  asks: (model: string) => void,
): Promise<VoiceAnswer> {
  const found = readTarget(settings, whose);
  if (!found.ok) return { ok: false, kind: "unset", message: found.stop.message };
  const { target } = found;
  const asked = askedOf(request, target);
  if (asked === null) return { ok: false, kind: "unset", message: `${target.host} makes no text of recordings` };
  const refused = (why: string): VoiceAnswer => ({ ok: false, kind: "refused", message: `${target.host} ${why}` });
  let response: Response;
  asks(asked.model);
  try {
    response = await fetch(asked.url, { method: "POST", headers: asked.headers, body: asked.body, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return refused("could not be reached");
  }
  if (response.ok) return { ok: true, response, model: asked.model };
  const said = oneLine(scrub(saidIn((await response.text()).slice(0, 10_000)), target.key)).slice(0, maxSaid);
  return refused(`answered ${response.status}${said === "" ? "" : `: ${said}`}`);
}

interface Asked {
  readonly model: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: FormData | string;
}

function askedOf(request: VoiceRequest, target: Target): Asked | null {
  const { root, host, key } = target;
  const bearer: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
  const json = { "content-type": "application/json" };
  if (request.kind === "transcribe") {
    if (host === elevenLabs.host) return null;
    const model = voiceModel(target, "transcribe");
    const form = new FormData();
    form.append("model", model);
    form.append("response_format", "json");
    if (request.language !== null) form.append("language", request.language);
    form.append("file", request.recording, `recording.${endingOf(request.recording.type)}`);
    return { model, url: `${root}/audio/transcriptions`, headers: bearer, body: form };
  }
  const { text, voice } = request;
  if (host === elevenLabs.host)
    return {
      model: elevenLabs.model,
      url: `${root}/text-to-speech/${encodeURIComponent(voice ?? elevenLabs.voice)}?output_format=mp3_44100_128`,
      headers: { ...json, accept: "audio/mpeg", "xi-api-key": key },
      body: JSON.stringify({ text, model_id: elevenLabs.model }),
    };
  const model = voiceModel(target, "speak");
  const body = { model, input: text, voice: voice ?? "alloy", response_format: "mp3" };
  return { model, url: `${root}/audio/speech`, headers: { ...json, ...bearer }, body: JSON.stringify(body) };
}

/** The model for the request. Each kind of server has its own. */
function voiceModel({ host, official }: Target, kind: VoiceRequest["kind"]): string {
  if (kind === "speak") return official ? "gpt-4o-mini-tts" : "tts-1";
  if (host === "api.mistral.ai") return "voxtral-mini-latest";
  return official ? "gpt-4o-mini-transcribe" : "whisper-1";
}

/** The extension of the file's name: servers detect the format by it. */
function endingOf(type: string): string {
  const [, sub = ""] = /^(?:audio|video)\/(?:x-)?([a-z0-9]+)/i.exec(type) ?? [];
  const known: Readonly<Record<string, string>> = {
    mpeg: "mp3",
    mp3: "mp3",
    mp4: "m4a",
    m4a: "m4a",
    aac: "m4a",
    wav: "wav",
    wave: "wav",
    ogg: "ogg",
    flac: "flac",
  };
  return known[sub.toLowerCase()] ?? "webm";
}

/** The server's message, if the body is JSON of a known form. Otherwise "". */
function saidIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return "";
    throw error;
  }
  const inner = isObject(value) ? (value["error"] ?? value["detail"] ?? value) : null;
  const said = isObject(inner) ? inner["message"] : inner;
  return typeof said === "string" ? said : "";
}
