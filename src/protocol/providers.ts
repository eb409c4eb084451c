export interface ProviderBody {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly model?: string;
}

export interface ProviderAnswer {
  /** A key is available, or none is needed. */
  readonly configured: boolean;
  readonly baseURL: string;
  readonly model: string;
  readonly key: KeyState;
  /** Origins for which a key of this provider is saved on this device. The key is sent nowhere else. */
  readonly remembered: readonly string[];
}

/**
 * The key for a provider's address. `session`: in memory only, or typed while another key is saved and locked. `locked`: saved on this device and not
 * in memory. `unlocked`: saved and in memory. `damaged`: the saved key can't be read.
 */
export type KeyState = "none" | "session" | "locked" | "unlocked" | "damaged";

export interface KeysAnswer {
  readonly state: "none" | "locked" | "unlocked" | "damaged";
  /** Why it can't be read. Null if it can. */
  readonly problem: string | null;
  /** A passphrase unlocks it. */
  readonly passphrase: boolean;
  /** The device unlocks it: it needs no secret and can't be locked. */
  readonly device: boolean;
  /** The passkey that unlocks it: its id, and the input from which it derives its secret. In base64url. */
  readonly passkey: { readonly id: string; readonly input: string } | null;
  readonly remembered: readonly { readonly provider: string; readonly origin: string }[];
}

/**
 * What unlocks the saved keys: exactly one of the three. A secret is never returned. In base64url. `id` and `input` come with a new passkey.
 * `device`: nothing but this browser's profile.
 */
export interface SecretBody {
  readonly passphrase?: string;
  readonly passkey?: { readonly secret: string; readonly id?: string; readonly input?: string };
  readonly device?: true;
}

export interface ModelsAnswer {
  readonly models: readonly string[];
}
