import type { Table } from '../../catalogue/table.ts';
import type { Span } from '../../query/plan.ts';
import type { Dialect } from './dialect.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

/** The context of a statement: the words of its engine, and the tables of one organisation. */
export interface SqlContext {
  readonly dialect: Dialect;
  /**
   * A table by name, with whatever else keeps other organisations away. Where only rows within a span are asked for, an engine
   * may leave out others; the statement still has to say the span, since it need not.
   */
  table(table: Table, span?: Span | undefined): Sql;
  /** Everyone in the directory who is not onboarded, where it is known that they are few or none. */
  readonly leavers?: readonly string[] | undefined;
}

/** Queries that a statement names at its head, each once, however many of its parts use them. */
export class NamedQueries {
  readonly #queries = new Map<string, Sql>();

  /** The name of a query; the same query has one name only. */
  add(name: string, query: Sql): Sql {
    const known = this.#queries.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(query)) throw new Error(`two queries are called ${name}`);
    this.#queries.set(name, query);
    return raw(name);
  }

  before(body: Sql): Sql {
    if (this.#queries.size === 0) return body;
    const queries = [...this.#queries].map(([name, query]) => sql`${raw(name)} AS (${query})`);
    return sql`WITH ${joined(queries, ',\n')}\n${body}`;
  }
}

/** A column of a table that stands under an alias. Every column is: engines disagree on what a bare name means. */
export const columnOf = ({ dialect }: SqlContext, alias: string, name: string): Sql =>
  sql`${raw(alias)}.${dialect.identifier(name)}`;
