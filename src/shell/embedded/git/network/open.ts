import type { Run } from "../run.ts";
import type { ConfigEntry } from "../store/config.ts";
import { type Connection, connect, type Service } from "./connection.ts";
import { localConnection, localRepository } from "./local.ts";

/** Opens the repository at an address or in a folder. */
export async function openConnection(run: Run, typed: string, config: readonly ConfigEntry[], service: Service): Promise<Connection> {
  const source = await localRepository(run, typed);
  return source === null ? connect(run, typed, config, service) : localConnection(source);
}
