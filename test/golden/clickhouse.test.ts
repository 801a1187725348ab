import { describe, expect, test } from 'vitest';
import { dateLevels } from '../../src/calendar.ts';
import { teamMembersCopy } from '../../src/catalogue/directory-copies.ts';
import { orderColumn } from '../../src/catalogue/table.ts';
import { posthookSessions } from '../../src/catalogue/tables/posthook-sessions.ts';
import { pullRequestComments } from '../../src/catalogue/tables/pull-request-parts.ts';
import { aggregations } from '../../src/expression/expression.ts';
import { sqlContextOf, tableAsOf } from '../../src/warehouse/clickhouse/as-of.ts';
import { clickhouseDialect as dialect } from '../../src/warehouse/clickhouse/dialect.ts';
import { readingSettings, writingSettings } from '../../src/warehouse/clickhouse/engine-settings.ts';
import {
  addColumn,
  addIndexes,
  bringUpToDate,
  createChanges,
  createEnds,
  createLayout,
  createTable,
  deleteRows,
  mergeRows,
  spanIndexes,
} from '../../src/warehouse/clickhouse/layout.ts';
import { firstLayout, newestLayout } from '../../src/warehouse/clickhouse/row-ends.ts';
import { statementFor } from '../../src/warehouse/clickhouse/statement.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { integer, integers, raw, type Sql, sql, text, texts } from '../../src/warehouse/sql/sql.ts';

const [value, other] = [raw('t.value'), raw('t.other')];
const summer = [
  { from: 0, offset: 3_600 },
  { from: 1_000, offset: 7_200 },
];

const moment = { organisationId: 'org', change: 7, dead: [], layout: newestLayout };
const withEnds = { ...moment, layout: { ...newestLayout, ends: { pull_request_comments: 6 } } };
const within = (column: string): Sql =>
  sqlContextOf(moment).table(pullRequestComments, { type: 'timestamp', column, from: 100, until: 200 });

/** Every emitter once for each way in which it can speak. */
const said: Readonly<Record<string, Sql>> = {
  ...Object.fromEntries(dateLevels.map((level) => [`bucketOfDay ${level}`, dialect.bucketOfDay(level, value)])),
  'bucket in UTC': dialect.bucket('week', value, [{ from: 0, offset: 0 }]),
  'bucket where clocks change': dialect.bucket('day', value, summer),
  count: dialect.count(undefined),
  'count where': dialect.count(other),
  countDistinct: dialect.countDistinct(value, undefined),
  'countDistinct where': dialect.countDistinct(value, other),
  ...Object.fromEntries(
    aggregations.map((how) => [`${how} of whole numbers`, dialect.aggregate(how, value, 'integer')]),
  ),
  'sum of numbers': dialect.aggregate('sum', value, 'number'),
  'median of numbers': dialect.aggregate('median', value, 'number'),
  'max of dates': dialect.aggregate('max', value, 'date'),
  atRank: dialect.atRank(value, integers([10, 11]), integers([3, 4])),
  ratio: dialect.ratio(value, other),
  mode: dialect.mode(value),
  lowerMedianDay: dialect.lowerMedianDay(value),
  number: dialect.number(value),
  contains: dialect.contains(dialect.lowerCased(value), sql`${text('word')}`),
  lastSegment: dialect.lastSegment(value),
  withoutSource: dialect.withoutSource(value),
  numbered: dialect.numbered(value, value),
  isAmong: dialect.isAmong(value, texts(['a', 'b'])),
  'isAmong nothing': dialect.isAmong(value, integers([])),
  'isAmong more than fits into one value': dialect.isAmong(value, texts(['a'.repeat(20_000), 'b'.repeat(20_000)])),
  isAmongLowerCased: dialect.isAmongLowerCased(value, texts(['A'])),
  each: dialect.each(integers([1, 2])),
  eachKeyed: dialect.eachKeyed(texts(['A']), texts(['a'])),
  listHasAny: dialect.listHasAny(value, texts(['a'])),
  listItems: dialect.listItems(value),
  isSame: dialect.isSame(value, other),
  withoutMatch: dialect.withoutMatch(raw('SELECT 1 AS one'), 'z', raw('z.one = t.one')),
  sortedList: dialect.sortedList(value),
  objectList: dialect.objectList(
    [
      ['id', value],
      ['title', other],
    ],
    [other, value],
  ),
  'nullOf number': dialect.nullOf('number'),
  'nullOf text': dialect.nullOf('text'),
  row: dialect.row([
    { value, type: 'timestamp' },
    { value: other, type: 'date' },
  ]),
  bytesOf: dialect.bytesOf(value),
  cutText: dialect.cutText(value, integer(10)),
  runningSum: dialect.runningSum(value),
  rowOrNumber: dialect.rowOrNumber(other, value, raw('7')),
  'a table at a moment': tableAsOf(teamMembersCopy, moment),
  'a table at a moment after lost writers': tableAsOf(teamMembersCopy, { ...moment, dead: [3, 5] }),
  'rows of records at a moment': tableAsOf(pullRequestComments, moment),
  'rows of records some of which have ended': tableAsOf(pullRequestComments, withEnds),
  'rows of records some of which have ended, after lost writers': tableAsOf(pullRequestComments, {
    ...withEnds,
    dead: [3, 5],
  }),
  'rows of records in the first layout': tableAsOf(pullRequestComments, { ...moment, layout: firstLayout }),
  'rows of a table at a moment that match': tableAsOf(teamMembersCopy, moment, sql`t.value = ${integer(10)}`),
  'rows of a table within a span of the date that they are sorted by': within('commented_at'),
  'rows of a table within a span of another date': within('pr_merged_at'),
  'rows of a table that is sorted by days, within a span of seconds': sqlContextOf(moment).table(posthookSessions, {
    type: 'timestamp',
    column: 'started_at',
    from: 100,
    until: 200,
  }),
  'rows of a table within a span of days': sqlContextOf(moment).table(posthookSessions, {
    type: 'date',
    column: 'date',
    from: '2026-01-01',
    to: '2026-01-31',
  }),
};

describe('ClickHouse is spoken to in the same words every time', () => {
  test('ClickHouse is spoken to in the same words every time in every emitter of the dialect', async () => {
    const lines = Object.entries(said).map(([name, piece]) => `-- ${name}\n${statementFor(piece).sql};\n`);
    await expect(lines.join('\n')).toMatchFileSnapshot('clickhouse/dialect.sql');
  });

  test.each([
    ['one server', undefined],
    ['a cluster', 'main'],
  ])(
    'ClickHouse is spoken to in the same words every time when it makes tables on %s, and in what it asks of the engine',
    async (name, cluster) => {
      const place = { cluster };
      const statements = [
        ...createLayout(place),
        ...createChanges(place),
        ...createEnds(place),
        ...createTable(pullRequestComments, place),
        ...createTable(teamMembersCopy, place),
        ...addColumn(teamMembersCopy, 'team_id', 'text', place),
        ...bringUpToDate(pullRequestComments, ['repository'], place),
        mergeRows('pull_request_comments', place),
        ...addIndexes(pullRequestComments, spanIndexes(pullRequestComments), place),
        `${deleteRows('team_members', place)} organisation = {p1:String}`,
      ];
      const settings = [
        `-- reading: ${JSON.stringify(readingSettings(30, cluster !== undefined))}`,
        `-- a question with limits: ${JSON.stringify(
          readingSettings(30, cluster !== undefined, {
            limits: { max_memory_usage: '4000000000', max_result_rows: '100000' },
          }),
        )}`,
        `-- about all organisations: ${JSON.stringify(readingSettings(30, cluster !== undefined, { isOfAll: true }))}`,
        `-- writing: ${JSON.stringify(writingSettings(600, cluster !== undefined))}`,
      ];
      const all = [...statements.map((statement) => `${statement};\n`), ...settings, ''];
      await expect(all.join('\n')).toMatchFileSnapshot(`clickhouse/${name.replace(' ', '-')}.sql`);
    },
  );

  // Questions rely on it in tables that any earlier Plumb has made: another date would give wrong answers.
  test('ClickHouse is spoken to in the same words every time and every table stays sorted by the date that it was made with', async () => {
    const sorted = storedTables.map((table) => `${table.name}: ${orderColumn(table) ?? 'by key'}\n`);
    await expect(sorted.join('')).toMatchFileSnapshot('clickhouse/sorted-by.txt');
  });
});
