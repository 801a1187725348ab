import { botAccounts } from '../../catalogue/derivation-state.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';

/** Accounts that most of their records call bots. There are some hundreds of them at most, so all are read. */
export async function knownBots(session: TableReader): Promise<ReadonlySet<string>> {
  const rows = await session.select(botAccounts, ['account']);
  return new Set(rows.flatMap(({ account }) => account ?? []));
}
