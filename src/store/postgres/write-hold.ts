import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { holdLost, onHold, type WriteHold } from '../writer-turns.ts';
import { isAway, unavailable } from './unreachable.ts';

/** Any number will do, as long as every Plumb takes the same. Stores in two schemas of a database have two locks. */
const holdKey = "7586235, hashtext(coalesce(current_schema(), ''))";

/** Said by every writer in its transaction: false while a process holds the writes of all. */
export const mayWrite = `pg_try_advisory_xact_lock_shared(${holdKey})`;

const retryMs = 100;

/** Writers that are lost publish nothing any more. */
const endLostTurns = `UPDATE data_versions SET dead = array_append(dead, writer), writer = NULL, lease_until = NULL
  WHERE writer IS NOT NULL AND lease_until < clock_timestamp()`;

/**
 * Holds the writes of all processes by a lock that every writer shares. It belongs to a connection of its own, so that
 * it ends with this process, however that ends.
 */
export async function holdWrites(url: string): Promise<WriteHold> {
  const client = new pg.Client({ connectionString: url, application_name: 'plumb-hold', keepAlive: true });
  // A connection that breaks says so by an event, which would end the process unheard; `confirm` finds it broken.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
      AND mode = 'ExclusiveLock' AND classid = 7586235 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`);
    if (rows[0]?.held) throw onHold();
    // Waits for transactions that are writing; those that begin from now on are refused.
    await client.query(`SELECT pg_advisory_lock(${holdKey})`);
    for (;;) {
      await client.query(endLostTurns);
      const { rows: writers } = await client.query('SELECT 1 FROM data_versions WHERE writer IS NOT NULL LIMIT 1');
      if (writers.length === 0) break;
      await pause(retryMs);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw isAway(error) ? unavailable(error) : error;
  }
  return {
    confirm: async () => {
      await client.query('SELECT 1').catch((error: unknown) => {
        throw holdLost(error);
      });
    },
    release: () => client.end().catch(() => {}),
  };
}
