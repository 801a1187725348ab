import { benchmarks } from './benchmarks.ts';
import { fields, unknownMetrics, unreadable } from './bodies.ts';
import { aggregations, dates, groups } from './dates-and-groups.ts';
import { filters } from './filters.ts';
import { orders, shapes } from './orders-and-shapes.ts';
import { several } from './several-metrics.ts';
import type { WrongRequest } from './wrong-request.ts';

/** Everything that is wrong with what an Owner sends. */
export const wrongRequests: readonly WrongRequest[] = [
  ...unknownMetrics,
  ...unreadable,
  ...fields,
  ...dates,
  ...aggregations,
  ...groups,
  ...filters,
  ...orders,
  ...shapes,
  ...several,
  ...benchmarks,
];
