import { rm } from 'node:fs/promises';
import type { Table } from '../../catalogue/table.ts';
import type { MovingOptions, MovingPort, RowsDigest, RowsPortion } from '../moving-port.ts';
import { digestTable, portionsIn, portionsOut } from './moved-rows.ts';
import { type OrganisationTransactions, unhurried } from './organisation-transactions.ts';

/** Whole tables out of the files of this process, and into them. */
export class MovingFiles implements MovingPort {
  readonly #transactions: OrganisationTransactions;
  readonly #makeFolder: () => Promise<string>;

  /** `makeFolder` makes one that the engine can reach. */
  constructor(transactions: OrganisationTransactions, makeFolder: () => Promise<string>) {
    this.#transactions = transactions;
    this.#makeFolder = makeFolder;
  }

  digest(organisationId: string, table: Table, { signal }: MovingOptions = {}): Promise<RowsDigest> {
    return this.#transactions.visit(unhurried(organisationId, signal), (task, schema) =>
      digestTable(task, table, schema),
    );
  }

  async *rowsOut(
    organisationId: string,
    table: Table,
    { signal, portion }: MovingOptions = {},
  ): AsyncGenerator<RowsPortion> {
    const folder = await this.#makeFolder();
    try {
      yield* this.#transactions.stream(unhurried(organisationId, signal), (task, schema) =>
        portionsOut(task, table, schema, folder, portion),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async rowsIn(organisationId: string, table: Table, portions: AsyncIterable<RowsPortion>): Promise<void> {
    const folder = await this.#makeFolder();
    try {
      await this.#transactions.change(organisationId, (task, schema) =>
        portionsIn(task, table, schema, folder, portions),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
