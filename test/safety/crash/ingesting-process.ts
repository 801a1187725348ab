// Run as a process of its own: takes the same batches in, and kills itself at a numbered step, if one is given.
import { appendFileSync } from 'node:fs';
import { mergePeople } from '../../../src/directory/merging.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import { publishing } from '../../../src/ingest/publish/published-changes.ts';
import { openStore } from '../../../src/store/open.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import type { TableChanges, TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { EmbeddedWarehouse } from '../../../src/warehouse/warehouse.ts';
import { threadsForFewRows } from '../../setup/how-long.ts';
import { batches, organisationId, people } from './ingested-history.ts';

/** Steps are the statements of the warehouse, the moments before and after each commit, and those around the store's. */
class Steps {
  #taken = 0;
  readonly #last: number;

  constructor(last: number) {
    this.#last = last;
  }

  take(): void {
    if (this.#taken === this.#last) process.kill(process.pid, 'SIGKILL');
    this.#taken += 1;
  }

  get taken(): number {
    return this.#taken;
  }
}

function stepping(warehouse: EmbeddedWarehouse, steps: Steps): EmbeddedWarehouse {
  const counted = (session: TableWriter): TableWriter =>
    new Proxy(session, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== 'function') return method;
        // Table by table, so that a process also dies between two of them.
        if (name === 'flush') {
          return async (changes: readonly TableChanges[]) => {
            for (const one of changes) {
              steps.take();
              await target.flush([one]);
            }
          };
        }
        return (...given: unknown[]) => {
          steps.take();
          return Reflect.apply(method, target, given);
        };
      },
    });
  return new Proxy(warehouse, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (name !== 'change') return typeof method === 'function' ? method.bind(target) : method;
      return async (id: string, work: (session: TableWriter) => Promise<unknown>) => {
        const result = await target.change(id, async (session) => {
          const done = await work(counted(session));
          steps.take();
          return done;
        });
        steps.take();
        return result;
      };
    },
  });
}

/** Everything from the beginning, as an interrupted import is finished by running it again. */
export async function ingestHistory(folder: string, killedAt = Number.POSITIVE_INFINITY): Promise<number> {
  const steps = new Steps(killedAt);
  const kept = await openStore({ folder });
  const warehouse = await openEmbeddedWarehouse(folder, { threads: threadsForFewRows ?? 2 });
  const ingest = new Ingest(kept, stepping(warehouse, steps));
  const store = publishing(
    kept,
    async (id) => {
      // Committed in the store, and not yet passed on.
      steps.take();
      await ingest.publisher.publish(id);
    },
    (error) => {
      throw error;
    },
  );
  const directory = { store, now: () => new Date('2024-06-01T00:00:00Z') };
  const context = { organisationId, actor: { via: 'demo' } } as const;
  for (const [i, batch] of batches.entries()) {
    for (const { rejected } of await ingest.put(organisationId, batch)) {
      if (rejected[0]) throw new Error(rejected[0].detail);
    }
    if (i === 0)
      await putRecords(
        directory,
        context,
        'people',
        people.map((value, line) => ({ line, value })),
      );
    if (i === 1) await mergePeople(directory, context, 'ada@example.org', 'bea@example.org').catch(() => {});
  }
  await warehouse.close();
  await kept.close();
  return steps.taken;
}

const [folder, killedAt, report] = process.argv.slice(2);
if (folder !== undefined && report !== undefined) {
  const steps = await ingestHistory(folder, Number(killedAt));
  appendFileSync(report, `${steps}\n`);
}
