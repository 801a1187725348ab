import { bucketsOf, labelOf } from './calendar.ts';
import type { Evaluated } from './evaluate.ts';
import { type JoinedRow, joinedRows, keyOf, largeEnough } from './joined-rows.ts';
import { type Evaluation, windowSeen } from './metric-groups.ts';
import { type Cell, compareLists } from './order.ts';
import { type QuestionBody, typeOf } from './question.ts';
import { dateRangeOf, daysOf, hasWholeDays } from './window.ts';
import { named } from './written.ts';

const maxSeries = 200;

/** One chart, or one for every metric where several were asked for: all of the same groups. */
export function chartAnswer(asked: Evaluation, body: QuestionBody): Evaluated {
  const level = asked.level ?? 'month';
  const evaluation: Evaluation = { ...asked, level };
  const { question, window } = evaluation;
  if (!window) throw new Error('people metrics have no chart');
  const rows = largeEnough(joinedRows(evaluation), question.asked);
  const buckets = bucketsOf(level, window.firstDay, window.lastDay);
  const categories = buckets.map((bucket) => labelOf(level, bucket));
  const places = placesIn(evaluation, rows);
  const rowsByKey = new Map(rows.map((row) => [keyOf(row), row]));

  const charts = question.asked.map(({ metric, values }, i) => {
    // The values of one group are shown all together or not at all, by the one that leads.
    const groups = largest(places, Math.floor(maxSeries / values.length), (place) =>
      total(rows.filter((row) => isAt(row, place)).map((row) => row.said[i]?.at(-1) ?? 0)),
    );
    const series = groups.flatMap((place) =>
      values.map(({ part, ofNothing }, j) => {
        const group = question.groupBy.map((name, k) => named(place[k] ?? null, typeOf(question, name)));
        return {
          name: [group.length === 0 ? metric.title : group.join('/'), ...(part ? [part] : [])].join('/'),
          data: buckets.map((bucket) => {
            const row = rowsByKey.get(keyOf({ bucket, place }));
            return row?.said[i]?.[j] ?? ofNothing;
          }),
          ...(question.showsN
            ? { n: buckets.map((bucket) => rowsByKey.get(keyOf({ bucket, place }))?.counts[i] ?? 0) }
            : {}),
        };
      }),
    );
    return { name: metric.name, unit: metric.unit ? { unit: metric.unit } : {}, series };
  });

  const all = total(question.asked.map(({ values }) => places.length * values.length));
  const shown = total(charts.map(({ series }) => series.length));
  const cut = shown < all ? all : undefined;
  const seen = question.asked.map((one) => windowSeen(evaluation, one) ?? window);
  const range = dateRangeOf(seen.every(hasWholeDays) ? daysOf(window) : window);
  const meta = { filters: body.filters, date_range: range };
  if (question.isMultiple) {
    const metrics = charts.map(({ name, series, unit }) => [name, { series, categories, ...unit }]);
    return { answer: { metrics: Object.fromEntries(metrics), meta }, total: cut };
  }
  const [only] = charts;
  return { answer: { series: only?.series, categories, meta: { ...meta, ...only?.unit } }, total: cut };
}

/** The groups of all rows, in order. Without a group there is one line, even where nothing happened. */
function placesIn({ question }: Evaluation, rows: readonly JoinedRow[]): (readonly Cell[])[] {
  if (question.groupBy.length === 0) return [[]];
  const places = new Map(rows.map(({ place }) => [JSON.stringify(place), place]));
  return [...places.values()].toSorted(compareLists);
}

const isAt = (row: JoinedRow, place: readonly Cell[]): boolean => JSON.stringify(row.place) === JSON.stringify(place);

/** Those with the largest sums, in the order in which they were. */
function largest<T>(items: readonly T[], most: number, sumOf: (item: T) => number): T[] {
  const summed = items.map((item) => ({ item, sum: sumOf(item) }));
  const kept = new Set(summed.toSorted((a, b) => b.sum - a.sum).slice(0, most));
  return summed.filter((one) => kept.has(one)).map(({ item }) => item);
}

const total = (numbers: readonly (number | string)[]): number =>
  numbers.reduce<number>((sum, number) => sum + Number(number), 0);
