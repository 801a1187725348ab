import { metricLabels } from '../catalogue/labels/metric-labels.ts';
import type { ShownHistory } from '../goals/goal-standings.ts';
import { tableHeads } from './table-words.ts';
import { columns } from './terminal.ts';
import { shownMeasures, valueText } from './value-text.ts';

const stateWords: Readonly<Record<ShownHistory['state'] | 'incomplete', string>> = {
  met: 'met',
  missed: 'missed',
  on_track: 'on track',
  at_risk: 'at risk',
  off_track: 'off track',
  too_early: 'too early to say',
  too_few: 'too few to say',
  no_data: 'no data',
  incomplete: 'incomplete',
  limited: 'limited',
};

/** In the place of values that the reader may not see. */
const limitedText = 'You don’t see everyone whom this goal is about, so its values are not shown.';

/** A goal in the terminal: what it is to be, its state, and a row for each whole period, the newest first. */
export function goalHistoryText(history: ShownHistory): string {
  const { goal, metric, aggregation, should_be, value, state, data_through, periods } = history;
  const measure = shownMeasures([{ name: metric, aggregation: aggregation ?? undefined }]).get(metric) ?? 'number';
  const shown = (number: number | null): string => (number === null ? '–' : valueText(number, measure));
  const name = metricLabels[metric] ?? metric;
  const asked = aggregation === null ? name : `${name} (${aggregation.toLowerCase()})`;
  const head = [`${goal}: ${stateWords[state]}`, `${asked} should be ${should_be} ${shown(value)}`];
  if (state === 'limited') return [...head, limitedText].join('\n');
  const rows = periods
    .toReversed()
    .map((period) => [
      period.start_date,
      period.end_date,
      shown(period.value),
      String(period.n ?? ''),
      stateWords[period.state],
    ]);
  const through = data_through === null ? [] : [`Data is complete through ${data_through}.`];
  return [...head, '', columns(tableHeads.goalPeriods, rows), ...through].join('\n');
}
