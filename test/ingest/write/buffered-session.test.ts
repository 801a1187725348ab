import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row, Table } from '../../../src/catalogue/table.ts';
import { storedColumns } from '../../../src/catalogue/table.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { BufferedSession } from '../../../src/ingest/write/buffered-session.ts';
import type { IntakeSession } from '../../../src/ingest/write/intake-session.ts';
import type { Condition, ConditionOnSpan } from '../../../src/warehouse/intake-port.ts';
import { times } from '../../setup/how-long.ts';
import { MemoryTables } from '../attribute/memory-warehouse.ts';

const table: Table = incidents;
const empty: Row = Object.fromEntries([...storedColumns(table).keys()].map((column) => [column, null]));

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const word = fc.constantFrom('x', 'y', null);
const time = fc.constantFrom(1, 2, 3, null);
const row = fc
  .record({ incident_id: id, repository_key: word, severity: word, opened_at: time })
  .map((some): Row => ({ ...empty, ...some }));
const rows = fc.uniqueArray(row, { maxLength: 4, selector: (one) => one.incident_id });
const inSpanOrUndated: ConditionOnSpan = {
  any: [
    {
      all: [
        { column: 'opened_at', atLeast: { end: 'from' } },
        { column: 'opened_at', below: { end: 'until' } },
      ],
    },
    { column: 'severity', isNull: true },
  ],
};
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.uniqueArray(id, { minLength: 1 }).map((some): Condition => ({ column: 'incident_id', in: some })),
  fc.uniqueArray(word).map((some): Condition => ({ column: 'repository_key', in: some })),
  fc.tuple(word, time).map((pair): Condition => ({ columns: ['severity', 'opened_at'], among: [pair] })),
  fc.integer({ min: 1, max: 3 }).map((atLeast): Condition => ({ column: 'opened_at', atLeast })),
  fc.integer({ min: 1, max: 3 }).map((atMost): Condition => ({ column: 'opened_at', atMost })),
  fc.integer({ min: 1, max: 3 }).map((below): Condition => ({ column: 'opened_at', below })),
  fc.boolean().map((isNull): Condition => ({ column: 'repository_key', isNull })),
  fc
    .uniqueArray(fc.record({ key: word, from: time, until: time }), { minLength: 1, selector: ({ key }) => key })
    .map((spans): Condition => ({ key: 'repository_key', spans, holds: inSpanOrUndated })),
);
const where = fc.oneof(
  condition,
  fc.tuple(condition, condition).map((all): Condition => ({ all })),
  fc.tuple(condition, condition).map((any): Condition => ({ any })),
);
const columns = fc.subarray(['repository_key', 'severity', 'opened_at'], { minLength: 1 });

type WriteStep = (session: IntakeSession) => Promise<unknown>;

/** Puts rows as the end of a batch does, knowing which of them are stored, and how. */
async function putKnown(session: IntakeSession, given: readonly Row[]): Promise<void> {
  const where: Condition = { column: 'incident_id', in: given.map((one) => one.incident_id ?? null) };
  const found = (await session.select(table, [...storedColumns(table).keys()] as never, where)) as unknown as Row[];
  const before = new Map(found.map((one) => [one.incident_id, one]));
  const [known, made] = [true, false].map((is) => given.filter((one) => before.has(one.incident_id ?? null) === is));
  const stored = known?.map((one) => before.get(one.incident_id ?? null) as Row) ?? [];
  await session.put(table, known as never, { stored });
  await session.put(table, made as never, { areNew: true });
}

const change: fc.Arbitrary<WriteStep> = fc.oneof(
  rows.map(
    (some): WriteStep =>
      (session) =>
        session.put(table, some as never),
  ),
  rows.map(
    (some): WriteStep =>
      (session) =>
        putKnown(session, some),
  ),
  fc.tuple(columns, rows).map(
    ([which, some]): WriteStep =>
      (session) =>
        session.patch(table, which as never, some),
  ),
  where.map(
    (some): WriteStep =>
      (session) =>
        session.remove(table, some),
  ),
);
const sorted = (some: unknown): string[] => (some as readonly object[]).map((one) => JSON.stringify(one)).sort();
const question: fc.Arbitrary<WriteStep> = fc.oneof(
  fc.tuple(columns, where).map(
    ([which, some]): WriteStep =>
      async (session) => {
        return sorted(await session.select(table, ['incident_id', ...which] as never, some));
      },
  ),
  fc.tuple(columns, where).map(
    ([by, some]): WriteStep =>
      async (session) =>
        sorted(await session.tally(table, by as never, some)),
  ),
  fc.tuple(fc.constantFrom(['severity'], ['repository_key'], []), fc.constantFrom('min', 'max'), where).map(
    ([by, measure, some]): WriteStep =>
      async (session) => {
        return sorted(await session.summarise(table, by as never, { [measure]: 'opened_at' } as never, some));
      },
  ),
);

describe('a buffered session', () => {
  test('A buffered session answers as if every change were written at once, and writes all of it in one flush', async () => {
    const steps = fc.array(fc.oneof({ weight: 2, arbitrary: change }, { weight: 3, arbitrary: question }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rows, steps, async (stored, taken) => {
        const [plain, engine] = [new MemoryTables(), new MemoryTables()];
        for (const one of [plain, engine]) await one.put(table, stored);
        let flushes = 0;
        const counting = new Proxy(engine.session, {
          get(target, name) {
            if (name === 'flush') flushes += 1;
            if (name === 'put' || name === 'patch' || name === 'remove')
              throw new Error(`${name} went past the buffer`);
            const value = Reflect.get(target, name, target) as unknown;
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        const buffered = new BufferedSession(counting);
        for (const step of taken) {
          const [expected, found] = [await step(plain.session), await step(buffered.session)];
          expect(found).toEqual(expected);
        }
        expect(flushes).toBe(0);
        await buffered.flush();
        expect(flushes).toBeLessThanOrEqual(1);
        expect(engine.state()).toEqual(plain.state());
      }),
      { numRuns: times(500) },
    );
  });
});
