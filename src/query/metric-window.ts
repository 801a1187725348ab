import type { MetricRequest, RequestedMetric } from './request.ts';
import { isWholeDays, type Window, wholeDays, windowBefore } from './window.ts';

type Windowed = Pick<MetricRequest, 'window' | 'zone'>;

/**
 * The window of one metric. Rows with a day and no time count with every day that the window touches, and so do the rows
 * that they are compared with.
 */
export function windowOf({ metric, dateColumn }: RequestedMetric, { window, zone }: Windowed): Window | undefined {
  const isOfDays = dateColumn !== undefined && metric.table.columns[dateColumn]?.type === 'date';
  return window && isOfDays ? wholeDays(window, zone) : window;
}

/** The window that a window of a request is compared with: the one that the caller chose, else the one before it. */
export const comparedWith = (window: Window, { chosenBefore, zone }: Pick<MetricRequest, 'chosenBefore' | 'zone'>) =>
  chosenBefore ?? windowBefore(window, zone);

/** The window that an answer names: that of instants where some of its metrics look at instants, else whole days. */
export function namedWindow(asked: Windowed & Pick<MetricRequest, 'metrics'>): Window | undefined {
  const windows = asked.metrics.map((one) => windowOf(one, asked));
  return windows.find((window) => window && !isWholeDays(window, asked.zone)) ?? windows[0];
}
