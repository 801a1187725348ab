import type { Readable } from 'node:stream';
import type { Value } from '../../catalogue/table.ts';
import type { WriterTurn } from '../../store/writer-turns.ts';
import { type ClickHouseEngine, maxSeconds } from './engine.ts';
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
    return this.#inTurn(() => this.#engine.lines(statement, { seconds: maxSeconds }));
  }

  /** Whatever is sent twice under one token is taken once. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Value[])[],
    token?: string,
  ): Promise<void> {
    return this.#inTurn(() => this.#engine.insert(table, columns, rows, token));
  }

  insertParquet(statement: BoundStatement, parquet: Readable, token: string): Promise<void> {
    return this.#inTurn(() => this.#engine.insertParquet(statement, parquet, token));
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

/** How long the difference between two clocks is believed. */
const believedMs = 60_000;

/**
 * The clock of ClickHouse, as far as it is known here: it is asked now and then, and reckoned in between. Nothing depends on
 * the time that this machine has been set to.
 */
export class ServerClock {
  readonly #ask: () => Promise<number>;
  #known: { readonly at: number; readonly said: number } | undefined;

  /** `ask` gives what the clock says, in milliseconds. */
  constructor(ask: () => Promise<number>) {
    this.#ask = ask;
  }

  /** What it says at a moment of `performance.now()`, or a little less: by as long as its answer took. */
  async at(moment: number): Promise<number> {
    if (!this.#known || performance.now() - this.#known.at > believedMs) {
      const said = await this.#ask();
      this.#known = { said, at: performance.now() };
    }
    return this.#known.said + (moment - this.#known.at);
  }
}
