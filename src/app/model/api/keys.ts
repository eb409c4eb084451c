import type { KeysAnswer, SecretBody } from "../../../protocol/index.ts";
import { type Answer, body, json } from "./calls.ts";

/** The keys saved on this device. Secrets go in and never come out. */
export const readKeys = (): Promise<Answer<KeysAnswer>> => json("keys");
export const rememberKey = (provider: string, secret: SecretBody): Promise<Answer<KeysAnswer>> =>
  json("keys/remember", body("POST", { provider, ...secret }));
export const unlockKeys = (secret: SecretBody): Promise<Answer<KeysAnswer>> => json("keys/unlock", body("POST", secret));
export const lockKeys = (): Promise<Answer<KeysAnswer>> => json("keys/lock", body("POST", {}));
/** From now on, `to` opens the keys. It replaces the old secret of its kind. */
export const changeSecret = (secret: SecretBody, to: SecretBody): Promise<Answer<KeysAnswer>> =>
  json("keys/change", body("POST", { ...secret, to }));
export const forgetKey = (provider: string): Promise<Answer<KeysAnswer>> =>
  json(`keys/${encodeURIComponent(provider)}`, { method: "DELETE" });
export const forgetAllKeys = (): Promise<Answer<KeysAnswer>> => json("keys", { method: "DELETE" });
