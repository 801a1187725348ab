import { ClickHouseError } from '@clickhouse/client';
import { Refusal } from '../../refusal.ts';
import type { WriterTurns } from '../../store/writer-turns.ts';
import { ClickHouseEngine, type QuestionTerms } from './engine.ts';
import type { Place } from './layout.ts';
import { migrate } from './migrate.ts';
import type { WatchTerms } from './statement-watch.ts';

export interface ClickHouseSettings extends Place {
  /** Of the HTTP interface; its path names the database. */
  readonly url: string;
  readonly statementSeconds?: number | undefined;
  readonly questions?: QuestionTerms;
  readonly watch?: WatchTerms | undefined;
}

export interface ClickHouseParts {
  readonly engine: ClickHouseEngine;
  readonly writerTurns: WriterTurns;
  readonly place: Place;
  readonly statementSeconds?: number | undefined;
}

/** Finds the server, and makes what is missing there. */
export async function connect(
  { url, cluster, statementSeconds, questions, watch }: ClickHouseSettings,
  writerTurns: WriterTurns,
): Promise<ClickHouseParts> {
  const isCluster = cluster !== undefined;
  const engine = new ClickHouseEngine(url, { isCluster, watch, ...(questions ? { questions } : {}) });
  try {
    await migrate(engine, { cluster });
  } catch (error) {
    await engine.close();
    throw unusableAddress(error) ?? error;
  }
  return { engine, writerTurns, place: { cluster }, statementSeconds };
}

/** What is wrong with the address. The address is not repeated in the message: it may hold a password. */
function unusableAddress(error: unknown): Refusal | undefined {
  const problem = error instanceof ClickHouseError ? addressProblems.get(error.code) : undefined;
  return problem === undefined ? undefined : new Refusal('bad-input', problem, { cause: error });
}

const addressProblems: ReadonlyMap<string, string> = new Map([
  ['81', 'ClickHouse has no database of the name in the address of the tables. Create it first, or name another one.'],
  [
    '701',
    'ClickHouse has no cluster of the name in the address of the tables. Name one of `system.clusters`, or none for a single server.',
  ],
  ['516', 'ClickHouse does not accept the user and the password in the address of the tables.'],
]);
