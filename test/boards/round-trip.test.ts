import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Board, BoardPanel } from '../../src/boards/board.ts';
import { maxPanels, panelViews } from '../../src/boards/board.ts';
import { copiedPages, pageAsBoard } from '../../src/boards/pages-as-boards.ts';
import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import { type Metric, takesAggregation } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { readDocument, yamlText } from '../../src/documents/document-text.ts';
import type { DocumentCaller } from '../../src/documents/documents.ts';
import { filterNamesOf } from '../../src/query/reading/read-filters.ts';
import { someOwner } from '../setup/some-owner.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';

/** Names that a reader of YAML could take for something else. */
const teamNames = [
  'Payments',
  'yes',
  'null',
  '2026-01-01',
  '1e3',
  'a: b',
  '- x',
  '# y',
  '"quoted" & *starred*',
  '佐藤 👩🏽‍💻',
];
const actor = { via: 'demo' } as const;

let app: Awaited<ReturnType<typeof openTemporaryApp>>;
let caller: DocumentCaller;
beforeAll(async () => {
  app = await openTemporaryApp();
  const { id, ownerId } = await createOrganisation(app.directory, actor, { name: 'Acme', ownerEmail: 'ada@x.org' });
  const lines = [...teamNames, 'Shared'].map((team_name, line) => ({ line, value: { team_name } }));
  await putRecords(app.directory, { organisationId: id, actor }, 'teams', lines);
  caller = { principal: { ...someOwner(id), personId: ownerId } };
});
afterAll(() => app.close());

const title = fc.oneof(
  fc.constantFrom(
    'yes',
    '~',
    '2026-01-01',
    '0x1F',
    ' leading',
    'a: b',
    '#',
    '| folded',
    'Ünï 👍',
    '- - -',
    '{}',
    "it's",
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((text) => text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text)),
);
const teams = fc.uniqueArray(fc.constantFrom(...teamNames), { minLength: 1, maxLength: 3 });
const writtenTeams = fc.oneof(teams, fc.constantFrom(...teamNames));
const filters = fc.record(
  { team: writtenTeams, repositories: fc.array(title, { minLength: 1, maxLength: 2 }), departments: fc.array(title) },
  { requiredKeys: [] },
);

const panelOf = (metric: Metric): fc.Arbitrary<BoardPanel> => {
  const columns = [...groupColumnsOf(metric.table).keys()];
  const isOverTime = metric.dates.length > 0;
  const taken = filterNamesOf(metric);
  const request = fc.record(
    {
      filters: filters.map((all) => Object.fromEntries(Object.entries(all).filter(([name]) => taken.includes(name)))),
      group_by: fc.uniqueArray(fc.constantFrom(...columns), { maxLength: 2 }),
      limit: fc.integer({ min: 1, max: 200 }),
      metric_min_value: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => (Object.is(value, -0) ? 0 : value)),
      ...(isOverTime ? { date_level: fc.constantFrom('day', 'week', 'month') } : {}),
      ...(takesAggregation(metric) ? { aggregation: fc.constantFrom('MEDIAN', 'avg', 'P90') } : {}),
    },
    { requiredKeys: takesAggregation(metric) ? ['aggregation'] : [] },
  );
  const more = { title, wide: fc.boolean(), ...(isOverTime ? { compare: fc.boolean() } : {}) };
  const requiredKeys = ['metric', 'view', ...(takesAggregation(metric) ? ['request'] : [])] as never[];
  return fc.record(
    { metric: fc.constant(metric.name), view: fc.constantFrom(...panelViews), request, ...more },
    { requiredKeys },
  ) as fc.Arbitrary<BoardPanel>;
};

const board: fc.Arbitrary<Board> = fc.record(
  {
    title,
    visible_to: fc.oneof(
      fc.constantFrom('organisation' as const, 'me' as const),
      fc.record({ team: fc.constantFrom(...teamNames) }),
    ),
    range: fc.oneof(
      fc.constantFrom('1d', '90d', '12w', '120m'),
      fc.constant({ start_date: '2026-01-01', end_date: '2026-03-31' }),
    ),
    filters,
    panels: fc.array(fc.constantFrom(...metrics.values()).chain(panelOf), { maxLength: 6 }),
  },
  { requiredKeys: ['title', 'panels'] },
);

const fromYaml = (document: object) => readDocument(Buffer.from(yamlText(document)), 'yaml');

/** Everything that is stored, as YAML that is read again. */
async function storedAsYaml(): Promise<Map<string, unknown>> {
  const stored = await app.documents.board.list(caller);
  return new Map(await Promise.all(stored.map(async ({ slug, shown }) => [slug, await fromYaml(shown)] as const)));
}

test.each(copiedPages)('The page %s is the same as a board, as YAML, stored, and as YAML again', async (page) => {
  const look = { range: '90d', level: 'week' as const, filters: { team: ['yes', 'Payments'] } };
  const { board, leftOut } = pageAsBoard(page, look);
  expect(board.panels.length).toBeLessThanOrEqual(maxPanels);
  expect(leftOut.length).toBeGreaterThan(0);
  const written = { board: page, ...board };
  await app.documents.board.put(caller, { slug: page, written: await fromYaml(written) }, { isNew: true });
  expect((await storedAsYaml()).get(page)).toEqual(written);
  await app.documents.board.remove(caller, page);
});

test('200 random boards are the same as YAML, stored, and as YAML again', async () => {
  const written = fc.sample(board, 200).map((one, i) => ({ board: `random-${i}`, ...one }));
  const documents = await Promise.all(
    written.map(async (one) => ({ slug: one.board, written: await fromYaml(one), from: one.board })),
  );
  const made = await app.documents.board.apply(caller, documents);
  expect(made.every(({ change }) => change === 'new')).toBe(true);
  const stored = await storedAsYaml();
  for (const one of written) expect(stored.get(one.board)).toEqual(one);
  const again = [...stored].map(([slug, document]) => ({ slug, written: document }));
  const unchanged = await app.documents.board.apply(caller, again);
  expect(unchanged.filter(({ change }) => change !== 'unchanged')).toEqual([]);
  // The limit of an organisation is reached exactly.
  const more = app.documents.board.apply(caller, [{ slug: 'one-more', written: { title: 'More', panels: [] } }]);
  await expect(more).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('at most 200 boards'),
  });
});
