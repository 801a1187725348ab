import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { pullRequestCommits, pullRequestReviews } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { fill } from './history.ts';
import { others } from './other-records.ts';
import { appendRaw } from './raw-appender.ts';
import { type Cost, report, rowRate, timed } from './report.ts';
import { openOrganisation, sized } from './world.ts';

export async function measureTables(): Promise<void> {
  const { app, id } = await openOrganisation('tables');
  const all = sized(40_000);
  const rows = all * 6;
  const derived = await timed(() => fill(app, id, 0, all, all));
  const raw = await appendRaw(app, id, [pullRequests, pullRequestReviews, pullRequestCommits]);
  const ratio = (what: keyof Cost): string => (raw[what] / derived[what]).toFixed(2);
  report('pull requests with reviews and commits, derived', rowRate(rows, derived));
  report('  the same rows by the raw appender', rowRate(rows, raw));
  report('  its time for a row, in times of ours', `${ratio('seconds')}, of processor time ${ratio('processor')}`);
  report('  the same records a second time', rowRate(rows, await timed(() => fill(app, id, 0, all, all))));
  for (const [table, make] of Object.entries(others)) {
    const records = Array.from({ length: sized(40_000) }, (_, i) => make(i));
    const took = await timed(async () => {
      for (let i = 0; i < records.length; i += 20_000) {
        const lines = records.slice(i, i + 20_000).map((value, line) => ({ line, value }));
        const [outcome] = await app.ingest.put(id, [{ table: table as FactTable, lines }]);
        if (outcome?.rejected[0]) throw new Error(`${table}: ${outcome.rejected[0].detail}`);
      }
    });
    report(table, rowRate(records.length, took));
  }
  await app.close();
}
