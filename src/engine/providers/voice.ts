/** What a provider can be asked for besides a conversation. */
export type VoiceRequest =
  /** The text of a recording. `language`: the spoken language. Null: the server detects it. */
  | { readonly kind: "transcribe"; readonly recording: Blob; readonly language: string | null }
  /** A recording of a text, as MP3. `voice`: a name that the server knows. Null: the default voice. */
  | { readonly kind: "speak"; readonly text: string; readonly voice: string | null };

export type VoiceAnswer =
  /** The server's answer, with a successful status. `model`: the model that was asked. */
  | { readonly ok: true; readonly response: Response; readonly model: string }
  /** `unset`: there is no server for it, or no key. `refused`: the server was asked and failed. `message` never contains a key. */
  | { readonly ok: false; readonly kind: "unset" | "refused"; readonly message: string };

export const noVoice: VoiceAnswer = { ok: false, kind: "unset", message: "This provider neither hears nor speaks" };
