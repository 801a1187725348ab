import type { MetricRequest, RequestedMetric } from './request.ts';
import { type Window, wholeDays } from './window.ts';

/**
 * The window of one metric. Rows with a day and no time count with every day that the window touches, and so do the rows
 * that they are compared with.
 */
export function windowOf(
  { metric, dateColumn }: RequestedMetric,
  { window, zone }: Pick<MetricRequest, 'window' | 'zone'>,
): Window | undefined {
  const isOfDays = dateColumn !== undefined && metric.table.columns[dateColumn]?.type === 'date';
  return window && isOfDays ? wholeDays(window, zone) : window;
}
