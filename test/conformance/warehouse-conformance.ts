import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketOf } from '../../src/admission/ticket.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { dateColumns, type Row } from '../../src/catalogue/table.ts';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { issues } from '../../src/catalogue/tables/issues.ts';
import { pullRequestComments } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { Condition, ConditionOnSpan, TableReader, TableWriter } from '../../src/warehouse/intake-port.ts';
import { gate } from '../setup/gate.ts';
import { rowOf } from '../warehouse/some-warehouse.ts';
import { addRows, patchRows, putRows, removeRows } from '../warehouse/table-writes.ts';
import { type OpenedWarehouse, questionConformance } from './question-conformance.ts';

const day = 86_400;
const pr = (id: string, given: Row = {}): never => rowOf(pullRequests, { pr_id: id, ...given });
const comment = (id: string, given: Row): never => rowOf(pullRequestComments, { comment_id: id, ...given });

const idsIn = async (reader: TableReader, where?: Condition): Promise<string[]> =>
  (await reader.select(pullRequests, ['pr_id'], where)).map(({ pr_id }) => String(pr_id)).sort();

/** What every engine keeps to, whatever it is made of. */
export function warehouseConformance(
  name: string,
  open: () => Promise<OpenedWarehouse>,
  { isAvailable = true }: { readonly isAvailable?: boolean } = {},
): void {
  describe.skipIf(!isAvailable)(`the warehouse in ${name}`, () => {
    let opened: OpenedWarehouse;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const warehouse = () => opened.warehouse;

    /** An organisation of its own with these pull requests. */
    async function organisationWith(...rows: readonly never[]): Promise<string> {
      const id = randomUUID();
      await warehouse().change(id, (writer) => putRows(writer, pullRequests, rows));
      return id;
    }
    const ids = (id: string, where?: Condition) => warehouse().read(id, (reader) => idsIn(reader, where));

    describe('a change', () => {
      test('A change is seen whole or not at all, and one that fails leaves nothing', async () => {
        const id = await organisationWith(pr('a'));
        const before = warehouse().versionOf(id);
        const failing = warehouse().change(id, async (writer) => {
          await putRows(writer, pullRequests, [pr('b')]);
          await putRows(writer, pullRequestComments, [comment('c', { pr_id: 'b' })]);
          await writer.setDirectoryVersion(9);
          throw new Error('no more');
        });
        await expect(failing).rejects.toThrow('no more');
        expect(await ids(id)).toEqual(['a']);
        expect(warehouse().versionOf(id)).toBe(before);
        await warehouse().read(id, async (reader) => {
          expect(await reader.tally(pullRequestComments, [])).toEqual([{ rows: 0 }]);
          expect(await reader.directoryVersion()).toBe(0);
        });
        await warehouse().change(id, (writer) => putRows(writer, pullRequests, [pr('b')]));
        expect(await ids(id)).toEqual(['a', 'b']);
      });

      test('A change reads what it has written, and others do not until it is done', async () => {
        const id = await organisationWith(pr('a'));
        await warehouse().change(id, async (writer) => {
          await putRows(writer, pullRequests, [pr('b')]);
          expect(await idsIn(writer)).toEqual(['a', 'b']);
          expect(await ids(id)).toEqual(['a']);
        });
        expect(await ids(id)).toEqual(['a', 'b']);
      });

      test('A change waits for the one before it, so that none is lost', async () => {
        const id = await organisationWith(pr('a', { additions: 0 }));
        const raise = async (writer: TableWriter) => {
          const [row] = await writer.select(pullRequests, ['additions']);
          await patchRows(writer, pullRequests, ['additions'], [{ pr_id: 'a', additions: Number(row?.additions) + 1 }]);
        };
        await Promise.all(Array.from({ length: 4 }, () => warehouse().change(id, raise)));
        const [row] = await warehouse().read(id, (reader) => reader.select(pullRequests, ['additions']));
        expect(row).toEqual({ additions: 4 });
      });

      test('A change is refused when its turn does not come in time', async () => {
        const id = await organisationWith();
        const busy = gate();
        const slow = warehouse().change(id, () => busy.passed);
        const ticket = ticketOf({ organisationId: id, keyId: 'k' }, 20);
        const refused = warehouse().change(id, async () => {}, { ticket });
        await expect(refused).rejects.toMatchObject({ reason: 'unavailable' });
        busy.open();
        await slow;
      });
    });

    describe('a reader', () => {
      test('A reader keeps the state that it began with, in every table', async () => {
        const id = await organisationWith(pr('a'));
        await warehouse().read(id, async (reader) => {
          expect(await idsIn(reader)).toEqual(['a']);
          await warehouse().change(id, async (writer) => {
            await removeRows(writer, pullRequests, { column: 'pr_id', in: ['a'] });
            await putRows(writer, pullRequestComments, [comment('c', { pr_id: 'a' })]);
            await writer.setDerivationVersion(4);
          });
          expect(await idsIn(reader)).toEqual(['a']);
          expect(await reader.tally(pullRequestComments, [])).toEqual([{ rows: 0 }]);
          expect(await reader.derivationVersion()).toBe(0);
        });
        expect(await ids(id)).toEqual([]);
      });

      test('A reader sees nothing of other organisations', async () => {
        const [one, other] = [await organisationWith(pr('a')), await organisationWith(pr('b'))];
        expect([await ids(one), await ids(other)]).toEqual([['a'], ['b']]);
      });
    });

    describe('rows', () => {
      test('Rows are put whole in the place of those with their key, the last of several', async () => {
        const id = await organisationWith(pr('a', { pr_title: 'first', additions: 1 }), pr('b'));
        await warehouse().change(id, async (writer) => {
          await putRows(writer, pullRequests, [pr('a', { pr_title: 'second' }), pr('a', { pr_title: 'third' })]);
          await addRows(writer, pullRequests, [pr('c', { pr_title: 'new' })]);
          await putRows(writer, pullRequests, []);
        });
        const rows = await warehouse().read(id, (reader) =>
          reader.select(pullRequests, ['pr_id', 'pr_title', 'additions'], { column: 'pr_title', isNull: false }),
        );
        expect(rows.toSorted((a, b) => (String(a.pr_id) < String(b.pr_id) ? -1 : 1))).toEqual([
          { pr_id: 'a', pr_title: 'third', additions: null },
          { pr_id: 'c', pr_title: 'new', additions: null },
        ]);
        expect(await ids(id)).toEqual(['a', 'b', 'c']);
      });

      test('Rows are patched in some columns where they are there, and removed where they are', async () => {
        const id = await organisationWith(pr('a', { pr_title: 'kept', additions: 1 }), pr('b'));
        await warehouse().change(id, async (writer) => {
          const patches = [
            { pr_id: 'a', additions: 2 },
            { pr_id: 'nowhere', additions: 3 },
          ];
          await patchRows(writer, pullRequests, ['additions'], patches);
          await removeRows(writer, pullRequests, { column: 'pr_id', in: ['b', 'nowhere'] });
          await removeRows(writer, pullRequests, { column: 'pr_id', in: [] });
        });
        const rows = await warehouse().read(id, (reader) =>
          reader.select(pullRequests, ['pr_id', 'pr_title', 'additions']),
        );
        expect(rows).toEqual([{ pr_id: 'a', pr_title: 'kept', additions: 2 }]);
      });

      test('Rows are removed, put, added and patched in one flush', async () => {
        const id = await organisationWith(
          pr('a', { pr_title: 'A' }),
          pr('b'),
          pr('c', { pr_title: 'C', additions: 1 }),
        );
        await warehouse().change(id, (writer) =>
          writer.flush([
            {
              table: pullRequests,
              removed: [{ pr_id: 'b' }],
              put: [pr('a', { pr_title: 'other' })],
              added: [pr('d', { pr_title: 'D' })],
              patches: [
                { columns: ['additions'], rows: [{ pr_id: 'c', additions: 2 }] },
                { columns: ['pr_title'], rows: [{ pr_id: 'nowhere', pr_title: 'none' }] },
              ],
            },
            { table: pullRequestComments, removed: [], put: [], added: [comment('1', { pr_id: 'a' })], patches: [] },
          ]),
        );
        const rows = await warehouse().read(id, (reader) =>
          reader.select(pullRequests, ['pr_id', 'pr_title', 'additions']),
        );
        expect(rows.toSorted((a, b) => (String(a.pr_id) < String(b.pr_id) ? -1 : 1))).toEqual([
          { pr_id: 'a', pr_title: 'other', additions: null },
          { pr_id: 'c', pr_title: 'C', additions: 2 },
          { pr_id: 'd', pr_title: 'D', additions: null },
        ]);
        const comments = await warehouse().read(id, (reader) => reader.select(pullRequestComments, ['comment_id']));
        expect(comments).toEqual([{ comment_id: '1' }]);
      });

      test('Rows come out in the order of their table, and all of one state', async () => {
        const rows = Array.from({ length: 25 }, (_, i) => pr(`p${i}`, { pr_created_at: i % 5 === 0 ? null : 100 - i }));
        const id = await organisationWith(...rows);
        const seen: Row[] = [];
        for await (const batch of warehouse().stream(id, pullRequests, ['pr_id', 'pr_created_at'], { batchRows: 4 })) {
          if (seen.length === 0) {
            await warehouse().change(id, (writer) =>
              removeRows(writer, pullRequests, { column: 'pr_id', in: ['p9', 'p1'] }),
            );
          }
          seen.push(...batch);
        }
        const created = seen.map(({ pr_created_at }) => pr_created_at ?? Number.POSITIVE_INFINITY).map(Number);
        expect(created).toEqual(created.toSorted((a, b) => a - b));
        expect(seen.slice(-5).map(({ pr_id }) => pr_id)).toEqual(['p0', 'p10', 'p15', 'p20', 'p5']);
        expect(new Set(seen.map(({ pr_id }) => pr_id)).size).toBe(25);
      });
    });

    describe('a condition', () => {
      const rows = [
        pr('a', { pr_title: 'x', additions: 1, pr_merged_at: 100 }),
        pr('b', { pr_title: 'x', additions: null, pr_merged_at: 200 }),
        pr('c', { pr_title: null, additions: 3, pr_merged_at: 300 }),
        pr('e', { pr_title: '', additions: null, pr_merged_at: 100 }),
        pr('ä', { pr_title: 'Ü', additions: 4, pr_merged_at: null }),
      ];
      const isMergedIn: ConditionOnSpan = {
        all: [
          { column: 'pr_merged_at', atLeast: { end: 'from' } },
          { column: 'pr_merged_at', below: { end: 'until' } },
        ],
      };
      const spansOf = (...spans: [key: string | null, from: number | null, until: number | null][]) => ({
        key: 'pr_title',
        spans: spans.map(([key, from, until]) => ({ key, from, until })),
      });
      const cases: readonly (readonly [Condition, readonly string[]])[] = [
        [{ column: 'pr_title', in: ['x', null] }, ['a', 'b']],
        [{ column: 'pr_title', in: [null] }, []],
        [{ column: 'pr_title', in: [] }, []],
        [{ column: 'pr_title', isNull: true }, ['c']],
        [{ column: 'pr_title', isNull: false }, ['a', 'b', 'e', 'ä']],
        [
          {
            columns: ['pr_title', 'additions'],
            among: [
              ['x', null],
              [null, 3],
            ],
          },
          ['b', 'c'],
        ],
        [
          {
            columns: ['pr_title', 'additions'],
            among: [
              ['x', 1],
              ['x', 3],
            ],
          },
          ['a'],
        ],
        [{ columns: ['pr_title', 'additions'], among: [] }, []],
        // None of them has a description or labels, but nothing is not among nothing.
        [{ columns: ['pr_body', 'labels'], among: [] }, []],
        [{ columns: ['pr_title', 'additions'], among: Array(6).fill(['x', null]) }, ['b']],
        [{ column: 'additions', atLeast: 3 }, ['c', 'ä']],
        [{ column: 'additions', atMost: 3 }, ['a', 'c']],
        [{ column: 'pr_title', atLeast: 'y' }, ['ä']],
        [{ column: 'additions', below: 3 }, ['a']],
        [{ column: 'pr_merged_at', below: 200 }, ['a', 'e']],
        [{ ...spansOf(['x', 100, 200]), holds: isMergedIn }, ['a']],
        [{ ...spansOf(['x', 101, 201], [null, 300, 301], ['Ü', 0, 999]), holds: isMergedIn }, ['b', 'c']],
        [{ ...spansOf(['x', 0, 100], [null, 301, 999]), holds: isMergedIn }, []],
        [{ ...spansOf(), holds: isMergedIn }, []],
        [{ ...spansOf([null, 0, 999]), holds: isMergedIn }, ['c']],
        [{ ...spansOf(['', 0, 999]), holds: isMergedIn }, ['e']],
        [{ ...spansOf(['', 0, 99], [null, 300, 301]), holds: isMergedIn }, ['c']],
        [
          {
            ...spansOf(['x', 150, null], ['Ü', 150, null]),
            holds: {
              any: [
                { column: 'pr_merged_at', atLeast: { end: 'from' } },
                { column: 'pr_merged_at', isNull: true },
              ],
            },
          },
          ['b', 'ä'],
        ],
        [
          {
            any: [
              { ...spansOf(['x', 0, 150]), holds: isMergedIn },
              {
                all: [
                  { ...spansOf([null, 0, 999]), holds: isMergedIn },
                  { column: 'additions', atLeast: 3 },
                ],
              },
            ],
          },
          ['a', 'c'],
        ],
        [
          {
            all: [
              { column: 'additions', atLeast: 1 },
              { column: 'pr_title', isNull: false },
            ],
          },
          ['a', 'ä'],
        ],
        [
          {
            any: [
              { column: 'additions', atMost: 1 },
              { column: 'pr_title', isNull: true },
            ],
          },
          ['a', 'c'],
        ],
        [{ all: [] }, ['a', 'b', 'c', 'e', 'ä']],
        [{ any: [] }, []],
      ];

      test('A condition means the same rows to everyone who reads by it, within a change and outside', async () => {
        const id = await organisationWith(...rows);
        await warehouse().read(id, async (reader) => {
          for (const [where, expected] of cases) {
            expect({ where, ids: await idsIn(reader, where) }).toEqual({ where, ids: expected });
            expect(await reader.tally(pullRequests, [], where)).toEqual([{ rows: expected.length }]);
          }
        });
        await warehouse().change(id, async (writer) => {
          // Half of what is found was stored before, the other half by this change.
          await putRows(writer, pullRequests, rows.slice(2));
          for (const [where, expected] of cases) {
            expect({ where, ids: await idsIn(writer, where) }).toEqual({ where, ids: expected });
          }
          await removeRows(writer, pullRequests, { column: 'pr_title', in: ['x', 'Ü'] });
        });
        expect(await ids(id)).toEqual(['c', 'e']);
      });
    });

    describe('what rows add up to', () => {
      const rows = [
        pr('a', { repository: 'r', additions: 1, pr_created_at: day }),
        pr('b', { repository: 'r', additions: 4, pr_created_at: day + 5 }),
        pr('c', { repository: 'r', additions: null, pr_created_at: 3 * day }),
        pr('d', { repository: null, additions: 7, pr_created_at: null }),
        pr('e', { repository: 's', additions: null, pr_created_at: -1 }),
      ];
      const byRepository = <R extends { readonly repository: string | null }>(found: readonly R[]): R[] =>
        found.toSorted((a, b) => (String(a.repository) < String(b.repository) ? -1 : 1));

      test('What rows add up to is counted for each combination, nulls included', async () => {
        const id = await organisationWith(...rows);
        await warehouse().read(id, async (reader) => {
          expect(byRepository(await reader.tally(pullRequests, ['repository']))).toEqual([
            { repository: null, rows: 1 },
            { repository: 'r', rows: 3 },
            { repository: 's', rows: 1 },
          ]);
          expect(await reader.tally(pullRequests, ['repository'], { column: 'additions', atLeast: 100 })).toEqual([]);
        });
      });

      test('What rows add up to is summarised by its median, its smallest or its largest value', async () => {
        const id = await organisationWith(...rows);
        await warehouse().read(id, async (reader) => {
          const medians = await reader.summarise(pullRequests, ['repository'], { median: 'additions' });
          expect(byRepository(medians).map(({ value }) => value)).toEqual([7, 2.5, null]);
          const largest = await reader.summarise(pullRequests, ['repository'], { max: 'additions' });
          expect(byRepository(largest).map(({ value }) => value)).toEqual([7, 4, null]);
          const smallest = await reader.summarise(pullRequests, ['repository'], { min: 'additions' });
          expect(byRepository(smallest).map(({ value }) => value)).toEqual([7, 1, null]);
          expect(await reader.summarise(pullRequests, [], { median: 'additions' })).toEqual([{ value: 4 }]);
        });
      });

      test('What rows add up to is counted by day, those without one last', async () => {
        const id = await organisationWith(...rows);
        expect(await warehouse().read(id, (reader) => reader.rowsByDay(pullRequests))).toEqual([
          { from: -day, rows: 1 },
          { from: day, rows: 2 },
          { from: 3 * day, rows: 1 },
          { from: null, rows: 1 },
        ]);
      });

      test('What rows add up to has a first time of the column that it is sorted by, and a last one of each date, days among them', async () => {
        const id = await organisationWith(...rows, pr('merged', { pr_merged_at: 5 * day }));
        const use = (named_as: string, date: string) => rowOf(aiCopilot, { named_as, source: 'cursor', date });
        await warehouse().change(id, (writer) =>
          addRows(writer, aiCopilot, [use('a', '2024-02-29'), use('b', '2023-12-31')]),
        );
        await warehouse().read(id, async (reader) => {
          expect(await reader.extremes(pullRequests)).toEqual({
            first: -1,
            last: dateColumns(pullRequests).map((name) =>
              name === 'pr_created_at' ? 3 * day : name === 'pr_merged_at' ? 5 * day : null,
            ),
          });
          expect(await reader.extremes(aiCopilot)).toEqual({ first: '2023-12-31', last: ['2024-02-29'] });
          expect(await reader.extremes(issues)).toEqual({ first: null, last: dateColumns(issues).map(() => null) });
        });
      });
    });

    describe('what a warehouse says of itself', () => {
      test('The versions of the directory and of the rules are part of a change', async () => {
        const id = await organisationWith();
        const versions = async (reader: TableReader) => [
          await reader.directoryVersion(),
          await reader.derivationVersion(),
        ];
        expect(await warehouse().read(id, versions)).toEqual([0, 0]);
        await warehouse().change(id, async (writer) => {
          await putRows(writer, peopleCopy, [rowOf(peopleCopy, { merged_user_id: 'p', name: 'Ada' })]);
          await writer.setDirectoryVersion(3);
          await writer.setDerivationVersion(2);
          expect(await versions(writer)).toEqual([3, 2]);
        });
        expect(await warehouse().read(id, versions)).toEqual([3, 2]);
        const people = await warehouse().read(id, (reader) => reader.select(peopleCopy, ['name']));
        expect(people).toEqual([{ name: 'Ada' }]);
      });

      test('Its data version moves with every change of the organisation, and with nothing else', async () => {
        const [id, other] = [await organisationWith(pr('a')), await organisationWith()];
        const [first, ofOther] = [warehouse().versionOf(id), warehouse().versionOf(other)];
        await ids(id);
        expect(warehouse().versionOf(id)).toBe(first);
        await warehouse().change(id, (writer) => writer.select(pullRequests, ['pr_id']));
        expect(warehouse().versionOf(id)).toBe(first);
        await warehouse().change(id, (writer) => putRows(writer, pullRequests, [pr('b')]));
        expect(warehouse().versionOf(id)).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
        expect(warehouse().versionOf(other)).toBe(ofOther);
      });

      test('It knows whom it holds, since when, and forgets whoever is removed', async () => {
        const [id, never] = [await organisationWith(pr('a')), randomUUID()];
        expect([warehouse().holds(id), warehouse().holds(never)]).toEqual([true, false]);
        expect(await warehouse().organisations()).toContain(id);
        expect(await warehouse().changedAt(id)).toBeInstanceOf(Date);
        expect(await warehouse().changedAt(never)).toBeUndefined();
        const before = warehouse().versionOf(id);
        await warehouse().remove(id);
        expect(warehouse().holds(id)).toBe(false);
        expect(warehouse().versionOf(id)).not.toBe(before);
        await warehouse().change(id, async () => {});
        expect(await ids(id)).toEqual([]);
      });
    });

    questionConformance(() => opened);
  });
}
