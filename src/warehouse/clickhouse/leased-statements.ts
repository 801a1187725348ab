import type { Readable } from 'node:stream';
import type { Value } from '../../catalogue/table.ts';
import type { WriterTurn } from '../../store/writer-turns.ts';
import { type ClickHouseEngine, secondsMost } from './engine.ts';
import { turnIsOver } from './engine-failures.ts';
import type { ServerClock } from './server-clock.ts';
import type { BoundStatement } from './statement.ts';

/**
 * The statements of one change, each begun in its turn. One that is begun may take long, since the turn is renewed
 * meanwhile; the engine gives up on a server that has gone silent, which would else keep the turn from every other writer
 * of the organisation. Whatever a lost writer began is over long before rows are cleaned away.
 */
export class LeasedStatements {
  readonly #engine: ClickHouseEngine;
  readonly #turn: Pick<WriterTurn, 'leaseEndsAt'>;
  readonly #clock: ServerClock;

  constructor(engine: ClickHouseEngine, turn: Pick<WriterTurn, 'leaseEndsAt'>, clock: ServerClock) {
    this.#engine = engine;
    this.#turn = turn;
    this.#clock = clock;
  }

  /** When others may take the turn, in milliseconds by the clock of ClickHouse; undefined where there are no others. */
  async leaseEndsThereAt(): Promise<number | undefined> {
    const until = this.#turn.leaseEndsAt();
    return until === undefined ? undefined : this.#clock.at(until);
  }

  lines(statement: BoundStatement): Promise<string[]> {
    return this.#inTurn(() => this.#engine.lines(statement, { seconds: secondsMost }));
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> {
    return this.#inTurn(() => this.#engine.insert(table, columns, rows));
  }

  insertParquet(statement: BoundStatement, parquet: Readable): Promise<void> {
    return this.#inTurn(() => this.#engine.insertParquet(statement, parquet));
  }

  run(statement: BoundStatement): Promise<void> {
    return this.#inTurn(() => this.#engine.run(statement));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const until = this.#turn.leaseEndsAt();
    if (until !== undefined && until <= performance.now()) throw turnIsOver();
    return work();
  }
}
