import { filters } from '../../../src/catalogue/filters.ts';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { askedTables } from '../../../src/catalogue/tables/all-tables.ts';

/** In every text that is made up here and nowhere else: it may be bound to a statement, and never stand in one. */
export const mark = 'zqx';

const texts = [
  `${mark}`,
  `${mark}'; DROP TABLE people; --`,
  `') OR 1=1 -- ${mark}`,
  `${mark}" , (SELECT 1) AS "x`,
  `${mark}\\`,
  `${mark}\u0000`,
  `$1 ${mark} $2`,
  `%_${mark}`,
  `\ud800${mark}`,
  `${mark}\n\r\t`,
  `😀${mark}ﬀ`,
  mark.repeat(3_000),
  `COPY (SELECT 1) TO '/tmp/${mark}'`,
  `["${mark}"]`,
  `{"${mark}":1}`,
];
const numbers = [0, -0, 1, -1, 0.5, 200, 201, 1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 63), 2 ** 31, 1e21];
const days = [
  '2024-01-31',
  '2023-11-05',
  '0002-01-01',
  '9998-12-31',
  '9999-12-31',
  '2024-02-30',
  '2024-01-31T23:59:60Z',
  '2024-01-31T10:00:00+23:59',
  '2024-01-31 10:00',
  '2024-W05',
  '1970-01-01',
  '1969-12-31T23:59:59.999999999Z',
  '٢٠٢٤-٠١-٠١',
];
const odd = [null, true, false, [], {}, [[]], [null], [{}], { a: { b: {} } }, '', ' ', 'constructor', '__proto__'];
const levels = ['day', 'week', 'month', 'quarter', 'year', 'DAY', 'hour', ''];
const folds = ['sum', 'AVG', 'p95', 'median', 'mode', ''];
const fields = [
  'filters',
  'group_by',
  'date_level',
  'time_series_data',
  'include_previous_period',
  'aggregation',
  'metric_min_value',
  'date_field',
  'order_by',
  'order_direction',
  'limit',
  'metrics',
  'aggregations',
  'date_fields',
  'metric_min_values',
  'benchmark_metric',
];
const columns = Object.values(askedTables).flatMap((table) => Object.keys(table.columns));
const filterNames = [...Object.keys(filters), 'start_date', 'end_date', 'team_ids'];

export type Random = () => number;

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

function anything(random: Random): unknown {
  const kinds: readonly (readonly unknown[])[] = [
    texts,
    numbers,
    days,
    odd,
    levels,
    folds,
    columns,
    [...metrics.keys()],
  ];
  const one = () => pick<unknown>(random, pick(random, kinds));
  return random() < 0.25 ? Array.from({ length: Math.floor(random() * 4) }, one) : one();
}

type HostileBody = Record<string, unknown>;

/** Something that a filter might well take. */
function plausible(random: Random, name: string): unknown {
  const form = filters[name]?.form;
  if (name.endsWith('_date')) return pick(random, days);
  if (form === 'text') return pick(random, texts);
  if (form === 'integers') return [pick(random, numbers), pick(random, numbers)];
  const text = pick(random, texts);
  return form === 'repositories' && random() < 0.5 ? [{ repository_name: text }] : [text, pick(random, texts)];
}

/** A body as somebody might send it who means no good, or does not know better. */
export function spoiled(random: Random, good: Readonly<HostileBody>): unknown {
  if (random() < 0.03) return anything(random);
  const body: HostileBody = structuredClone(good);
  for (let i = 0; i <= random() * 4; i += 1) spoil(random, body);
  return JSON.parse(JSON.stringify(body)) as unknown;
}

function spoil(random: Random, body: HostileBody): void {
  const inside = typeof body.filters === 'object' && body.filters !== null ? (body.filters as HostileBody) : {};
  const name = pick(random, filterNames);
  switch (Math.floor(random() * 10)) {
    case 0:
      body[pick(random, fields)] = anything(random);
      return;
    case 1:
      delete body[pick(random, Object.keys(body))];
      return;
    case 2:
      body[String(pick(random, [...texts, 'x', '__proto__', 'toString']))] = anything(random);
      return;
    case 3:
      body.filters = { ...inside, [name]: anything(random) };
      return;
    case 4:
    case 5:
      body.filters = { ...inside, [name]: plausible(random, name) };
      return;
    case 6:
      body.group_by = [...(Array.isArray(body.group_by) ? body.group_by : []), pick(random, [...columns, ...texts])];
      return;
    case 7:
      body.order_by = pick(random, [...columns, ...texts, 'value']);
      return;
    case 8:
      body.metric_min_value = pick(random, numbers);
      return;
    case 9:
      body.filters = { ...inside, start_date: pick(random, days), end_date: pick(random, days) };
  }
}
