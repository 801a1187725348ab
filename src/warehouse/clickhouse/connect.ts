import type { WriterTurns } from '../../store/writer-turns.ts';
import { ClickHouseEngine, type QuestionTerms } from './engine.ts';
import type { Place } from './layout.ts';
import { migrate } from './migrate.ts';

export interface ClickHouseSettings extends Place {
  /** Of the HTTP interface; its path names the database. */
  readonly url: string;
  readonly statementSeconds?: number | undefined;
  readonly questions?: QuestionTerms;
}

export interface ClickHouseParts {
  readonly engine: ClickHouseEngine;
  readonly writerTurns: WriterTurns;
  readonly place: Place;
  readonly statementSeconds?: number | undefined;
}

/** Finds the server, and makes what is missing there. */
export async function connect(
  { url, cluster, statementSeconds, questions }: ClickHouseSettings,
  writerTurns: WriterTurns,
): Promise<ClickHouseParts> {
  const engine = new ClickHouseEngine(url, { isCluster: cluster !== undefined, ...(questions ? { questions } : {}) });
  try {
    await migrate(engine, { cluster });
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, writerTurns, place: { cluster }, statementSeconds };
}
