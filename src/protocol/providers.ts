export interface ProviderBody {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly model?: string;
}

export interface ProviderAnswer {
  /** A key is there, or none is needed. */
  readonly configured: boolean;
  readonly baseURL: string;
  readonly model: string;
  readonly key: KeyState;
  /** Origins for which a key of this provider is remembered on this device; it goes nowhere else. */
  readonly remembered: readonly string[];
}

/**
 * The key for a provider's address. `session`: in memory only, or typed while another one is remembered and locked. `locked`:
 * remembered on this device, and not in memory. `unlocked`: remembered, and in memory. `damaged`: what was remembered can't be read.
 */
export type KeyState = "none" | "session" | "locked" | "unlocked" | "damaged";

export interface KeysAnswer {
  readonly state: "none" | "locked" | "unlocked" | "damaged";
  /** Why it can't be read; null when it can. */
  readonly problem: string | null;
  /** A passphrase opens it. */
  readonly passphrase: boolean;
  /** The device opens it: it needs no secret, and can't be locked. */
  readonly device: boolean;
  /** The passkey that opens it: its id, and what it turns into its secret. In base64url. */
  readonly passkey: { readonly id: string; readonly input: string } | null;
  readonly remembered: readonly { readonly provider: string; readonly origin: string }[];
}

/**
 * What opens the remembered keys: one of the three. It goes in and never comes out. In base64url; `id` and `input` with a passkey that is new.
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
