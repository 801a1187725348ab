import { createClient } from '@clickhouse/client';
import { afterAll, expect, inject, test } from 'vitest';
import { dateLevels, dayNumber, dayOfNumber, startOfBucket } from '../../../src/calendar.ts';
import { bucketStart, dateText } from '../../../src/warehouse/clickhouse/dialect.ts';
import { readingSettings } from '../../../src/warehouse/clickhouse/engine-settings.ts';
import { statementFor } from '../../../src/warehouse/clickhouse/statement.ts';
import { raw, sql } from '../../../src/warehouse/sql/sql.ts';
import { describeWithClickHouse } from '../../setup/clickhouse.ts';

describeWithClickHouse('days of ClickHouse', () => {
  const client = createClient({ url: inject('clickhouseUrl') ?? '' });
  afterAll(() => client.close());

  test('Days of ClickHouse fall into the buckets of the calendar, and are written as everywhere, from the year 1 to 9999', async () => {
    const [first, last] = [dayNumber('0001-01-01'), dayNumber('9999-12-31')];
    // Every 97th day meets every day of the year, and every beginning of a cycle of years is looked at from both sides.
    const days = Array.from({ length: Math.floor((last - first) / 97) }, (_, i) => first + i * 97);
    const turns = [400, 1900, 1970, 2000, 2299, 2300, 9999].flatMap((year) => {
      const turn = dayNumber(`${String(year).padStart(4, '0')}-01-01`);
      return [turn - 1, turn, turn + 58, turn + 59, turn + 60];
    });
    const levels = dateLevels.map((level) => dateText(bucketStart(level, raw('day'))));
    const piece = sql`SELECT toJSONString(tuple(day, ${levels.flatMap((level, i) => (i === 0 ? [level] : [', ', level]))})) FROM days`;
    const { sql: said } = statementFor(piece);
    for (const some of [turns, days.slice(0, 20_000), days.slice(20_000)]) {
      const answer = await client.query({
        query: `WITH days AS (SELECT toInt32(arrayJoin({days:Array(Int32)})) AS day) ${said}`,
        query_params: { days: some },
        format: 'TabSeparatedRaw',
        use_multipart_params: true,
        clickhouse_settings: readingSettings(60, false),
      });
      const rows = (await answer.text()).trimEnd().split('\n');
      const wrong = rows
        .map((row) => JSON.parse(row) as [number, ...string[]])
        .filter(([day, ...found]) => {
          const expected = dateLevels.map((level) => startOfBucket(level, dayOfNumber(day)));
          return JSON.stringify(found) !== JSON.stringify(expected);
        });
      expect({ rows: rows.length, wrong: wrong.slice(0, 3) }).toEqual({ rows: some.length, wrong: [] });
    }
  });
});
