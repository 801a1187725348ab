import type { MetricRequest, RequestedMetric } from './request.ts';
import { type Window, wholeDays } from './window.ts';

/**
 * The window as one metric looks at it. Rows that know their day and no time are in it with every day that it touches,
 * and then so is whatever they are compared with.
 */
export function windowOf(
  { metric, dateColumn }: RequestedMetric,
  { window, zone }: Pick<MetricRequest, 'window' | 'zone'>,
): Window | undefined {
  const isOfDays = dateColumn !== undefined && metric.table.columns[dateColumn]?.type === 'date';
  return window && isOfDays ? wholeDays(window, zone) : window;
}
