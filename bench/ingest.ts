// `npm run bench:ingest`: records in, with everything derived, against the engine's own appender in the same run;
// recomputing everything; and changing a few rows of a long history. Absolute times are this machine's; ratios are not.
// PLUMB_BENCH_SHARE=0.01 runs a hundredth of it, to try it out; PLUMB_BENCH_PARTS=tables,repositories,backwards,rederive,long
// only some of it.
import { measureBackwards } from './ingest/backwards.ts';
import { measureLongHistory } from './ingest/long-history.ts';
import { measureRederiving } from './ingest/rederiving.ts';
import { measureRepositories } from './ingest/repositories.ts';
import { measureTables } from './ingest/tables.ts';
import { removeFolder } from './ingest/world.ts';

const measurements = {
  tables: measureTables,
  repositories: measureRepositories,
  backwards: measureBackwards,
  rederive: measureRederiving,
  long: measureLongHistory,
};
const wanted = process.env.PLUMB_BENCH_PARTS?.split(',');

try {
  for (const [part, measure] of Object.entries(measurements)) if (wanted?.includes(part) ?? true) await measure();
} finally {
  removeFolder();
}
