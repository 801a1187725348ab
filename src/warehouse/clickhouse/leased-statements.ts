import type { Value } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import type { WriterTurn } from '../../store/writer-turns.ts';
import { type ClickHouseEngine, secondsMost } from './engine.ts';
import { turnIsOver, unansweredInTurn } from './engine-failures.ts';
import type { BoundStatement } from './statement.ts';

/**
 * The statements of one change. Each has until the lease ends that it was sent under: a server that never answers would
 * else keep the turn, which is renewed meanwhile, from every other writer of the organisation. Whatever a lost writer
 * began is over by then as well, long before rows are cleaned away.
 */
export class LeasedStatements {
  readonly #engine: ClickHouseEngine;
  readonly #turn: Pick<WriterTurn, 'leaseEndsAt'>;

  constructor(engine: ClickHouseEngine, turn: Pick<WriterTurn, 'leaseEndsAt'>) {
    this.#engine = engine;
    this.#turn = turn;
  }

  /** When others may take the turn, by this machine's clock; undefined where there are no others. */
  leaseEndsAt(): number | undefined {
    return this.#turn.leaseEndsAt();
  }

  lines(statement: BoundStatement): Promise<string[]> {
    return this.#inLease((seconds) => this.#engine.lines(statement, { seconds }));
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> {
    return this.#inLease((seconds) => this.#engine.insert(table, columns, rows, seconds));
  }

  run(statement: BoundStatement): Promise<void> {
    return this.#inLease((seconds) => this.#engine.run(statement, seconds));
  }

  async #inLease<T>(work: (seconds: number) => Promise<T>): Promise<T> {
    const until = this.leaseEndsAt();
    if (until === undefined) return work(secondsMost);
    const seconds = Math.ceil((until - Date.now()) / 1_000);
    if (seconds <= 0) throw turnIsOver();
    try {
      return await work(seconds);
    } catch (error) {
      throw error instanceof Refusal && error.reason === 'too-slow' ? unansweredInTurn(error) : error;
    }
  }
}
