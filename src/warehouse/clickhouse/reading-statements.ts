import { Budget } from '../../admission/budget.ts';
import { type Ticket, WaitingTime } from '../../admission/ticket.ts';
import { type ClickHouseEngine, type EngineTerms, maxSeconds } from './engine.ts';
import { crowded, isTooLong, tooOld } from './engine-failures.ts';
import type { BoundStatement } from './statement.ts';
import type { Lines, ShortLines } from './table-reading.ts';

/** Nobody reads a moment for longer: rows that ended are kept for more than that, and then cleaned away. */
const maxMomentMs = maxSeconds * 1_000;

/** How many statements run at once: in all, of one organisation, and of one key. */
const shares = { all: 16, organisation: 8, key: 4 };
const waiting = { organisation: 1_000, key: 500 };

type ReaderTerms = Omit<EngineTerms, 'signal' | 'maxBytes'>;

/** The statements of all readers, each in its turn. */
export class ReadingStatements {
  readonly #engine: ClickHouseEngine;
  readonly #turns = new Budget({ shares, waiting, crowded });

  constructor(engine: ClickHouseEngine) {
    this.#engine = engine;
  }

  /** Statements of one reader. A moment is not read for longer than its rows are sure to be there. */
  lines(ticket: Ticket, reading: ReaderTerms): Lines {
    const linesWithin = this.#linesWithin(ticket, reading);
    return (statement) => linesWithin(statement);
  }

  /** The same, where the engine keeps an answer that is too long. */
  shortLines(ticket: Ticket, reading: ReaderTerms): ShortLines {
    const linesWithin = this.#linesWithin(ticket, reading);
    return async (statement, maxBytes) => {
      try {
        return await linesWithin(statement, maxBytes);
      } catch (error) {
        if (isTooLong(error)) return undefined;
        throw error;
      }
    };
  }

  async *stream(ticket: Ticket, statement: BoundStatement, reading: ReaderTerms): AsyncGenerator<string[]> {
    const terms = { ...reading, signal: ticket.signal };
    const place = await this.#turns.hold(entryOf(ticket, terms));
    try {
      yield* this.#engine.stream(statement, terms);
    } finally {
      place.release();
    }
  }

  #linesWithin(ticket: Ticket, reading: ReaderTerms) {
    const until = performance.now() + maxMomentMs;
    return (statement: BoundStatement, maxBytes?: number): Promise<string[]> => {
      if (performance.now() > until) throw tooOld();
      const terms = { ...reading, maxBytes, signal: ticket.signal };
      return this.#turns.take(entryOf(ticket, terms), () => this.#engine.lines(statement, terms));
    };
  }
}

/** A statement of the service itself waits for as long as it may run. */
const entryOf = (ticket: Ticket, { seconds }: EngineTerms) => ({
  ticket: { ...ticket, waiting: ticket.waiting ?? new WaitingTime(seconds * 1_000) },
});
