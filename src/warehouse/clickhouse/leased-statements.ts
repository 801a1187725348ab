import type { Value } from '../../catalogue/table.ts';
import type { WriterTurn } from '../../store/writer-turns.ts';
import { type ClickHouseEngine, secondsMost } from './engine.ts';
import { turnIsOver } from './engine-failures.ts';
import type { BoundStatement } from './statement.ts';

/**
 * The statements of one change, each begun in its turn. One that is begun may take long, since the turn is renewed
 * meanwhile; the engine gives up on a server that has gone silent, which would else keep the turn from every other writer
 * of the organisation. Whatever a lost writer began is over long before rows are cleaned away.
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
    return this.#inTurn(() => this.#engine.lines(statement, { seconds: secondsMost }));
  }

  insert(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> {
    return this.#inTurn(() => this.#engine.insert(table, columns, rows));
  }

  run(statement: BoundStatement): Promise<void> {
    return this.#inTurn(() => this.#engine.run(statement));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const until = this.leaseEndsAt();
    if (until !== undefined && until <= Date.now()) throw turnIsOver();
    return work();
  }
}
