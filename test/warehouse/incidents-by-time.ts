import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import { rowOf, type SomeWarehouse } from './some-warehouse.ts';
import { putRows } from './table-writes.ts';

export const incident = (i: number, opened_at: number | null) =>
  rowOf(incidents, { incident_id: `i${i}`, opened_at, title: 'same' });

/** A table of incidents that is filled batch by batch, and what reclustering does to its file. */
export class IncidentsByTime {
  readonly #place: SomeWarehouse;
  readonly #id: string;
  readonly #rows: number;
  readonly #batch: number;

  constructor(place: SomeWarehouse, id: string, { rows, batch }: { readonly rows: number; readonly batch: number }) {
    this.#place = place;
    this.#id = id;
    this.#rows = rows;
    this.#batch = batch;
  }

  async fill(timeOf: (i: number) => number): Promise<void> {
    for (let from = 0; from < this.#rows; from += this.#batch) {
      const rows = Array.from({ length: this.#batch }, (_, i) => incident(from + i, timeOf(from + i)));
      await this.#place.warehouse.change(this.#id, (session) => putRows(session, incidents, rows));
    }
  }

  /** One number of the file itself, whose rows no port shows in their order. */
  async measure(sql: string): Promise<number> {
    await this.#place.warehouse.close();
    const instance = await DuckDBInstance.create(this.#path);
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(sql);
    connection.closeSync();
    instance.closeSync();
    await this.#place.reopen();
    return Number(result.getRowsJS()[0]?.[0]);
  }

  /** Reclusters while others read, who must see every row all the time. No row may change. */
  async reclusterUnderReaders(): Promise<void> {
    const { warehouse } = this.#place;
    const before = await warehouse.checksum(this.#id);
    let isOver = false;
    const counts = new Set<number | undefined>();
    const reader = async () => {
      while (!isOver) {
        await warehouse.read(this.#id, async (session) => {
          counts.add((await session.tally(incidents, []))[0]?.rows);
          counts.add((await session.tally(incidents, ['title']))[0]?.rows);
        });
      }
    };
    const readers = [reader(), reader()];
    await warehouse.recluster(this.#id);
    isOver = true;
    await Promise.all(readers);
    expect([...counts]).toEqual([this.#rows]);
    expect(await warehouse.checksum(this.#id)).toEqual(before);
  }

  /** Reclusters, and expects the file to be left as it is. */
  async expectNothingToRecluster(): Promise<void> {
    await this.#place.reopen();
    const { mtimeMs } = statSync(this.#path);
    await this.#place.warehouse.recluster(this.#id);
    expect(statSync(this.#path).mtimeMs).toBe(mtimeMs);
    expect(existsSync(`${this.#path}.wal`) && statSync(`${this.#path}.wal`).size > 0).toBe(false);
  }

  get #path(): string {
    return join(this.#place.place, `${this.#id}.duckdb`);
  }
}
