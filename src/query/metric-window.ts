import type { MetricRequest, RequestedMetric } from './request.ts';
import { isWholeDays, type Window, wholeDays } from './window.ts';

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

/** The window that an answer names: that of instants where some of its metrics look at instants, else whole days. */
export function namedWindow(asked: Pick<MetricRequest, 'metrics' | 'window' | 'zone'>): Window | undefined {
  const windows = asked.metrics.map((one) => windowOf(one, asked));
  return windows.find((window) => window && !isWholeDays(window, asked.zone)) ?? windows[0];
}
