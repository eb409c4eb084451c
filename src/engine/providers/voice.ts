/** What a provider is asked for besides a conversation. */
export type VoiceRequest =
  /** The text of a recording. `language`: of what is said; null: the server finds out. */
  | { readonly kind: "transcribe"; readonly recording: Blob; readonly language: string | null }
  /** A recording of a text, as MP3. `voice`: a name that the server knows; null: its usual one. */
  | { readonly kind: "speak"; readonly text: string; readonly voice: string | null };

export type VoiceAnswer =
  /** As the server answered, with a good status. `model`: the one that was asked. */
  | { readonly ok: true; readonly response: Response; readonly model: string }
  /** `unset`: there is no server for it, or no key. `refused`: it was asked and did not do it. `message` never holds a key. */
  | { readonly ok: false; readonly kind: "unset" | "refused"; readonly message: string };

export const noVoice: VoiceAnswer = { ok: false, kind: "unset", message: "This provider neither hears nor speaks" };
