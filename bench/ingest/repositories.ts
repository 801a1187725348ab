import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { iso, pullRequest, sha, start, twoYears } from './history.ts';
import { type Cost, report, timed, whole } from './report.ts';
import { openOrganisation, sized } from './world.ts';

/** A batch of the 100 most recent pull requests of one repository, beside a short history and others that are longer. */
export async function measureRepositories(): Promise<void> {
  // As many a day in each of them.
  const yearly = 15_000;
  for (const [label, size, deployed] of [
    ['a monorepo', sized(100_000), sized(20_000)],
    ['a large repository', sized(30_000), sized(6_000)],
    ['a small repository', sized(1_500), sized(300)],
  ] as const) {
    const { app, id } = await openOrganisation(label.replaceAll(' ', '-'));
    const [one] = [`bench/${label.replaceAll(' ', '-')}`];
    const record = (i: number) => {
      const [made] = pullRequest(i, 2 * yearly).pull_requests;
      return { ...made, pr_id: `github:${one}#${i}`, repository: one };
    };
    const put = (table: FactTable, records: readonly object[]) =>
      app.ingest.put(id, [{ table, lines: records.map((value, line) => ({ line, value })) }]);
    const step = 20_000;
    for (let i = 0; i < size; i += step) {
      await put(
        'pull_requests',
        Array.from({ length: Math.min(step, size - i) }, (_, k) => record(i + k)),
      );
    }
    const deployments = Array.from({ length: deployed }, (_, i) => ({
      deployment_id: `d${i}`,
      repository: one,
      // Two days after it was opened the commit has been merged.
      deployed_at: iso(start + 180_000 + Math.floor((i * 5 * twoYears) / (2 * yearly))),
      status: i % 29 === 0 ? 'failure' : 'success',
      environment: 'production',
      sha: sha(i * 5),
    }));
    await put('deployments', deployments);
    const costs: Cost[] = [];
    for (let round = 0; round < 5; round += 1) {
      const records = Array.from({ length: 100 }, (_, k) => ({
        ...record(size - 1 - k),
        head_branch: `again-${round}`,
      }));
      costs.push(await timed(() => put('pull_requests', records)));
    }
    report(
      `100 records of ${label}: ${whole(size)} pull requests, ${whole(deployed)} deployments`,
      `${whole(middle(costs, 'seconds'))} ms, processor ${whole(middle(costs, 'processor'))} ms (medians of 5)`,
    );
    await app.close();
  }
}

/** The middle one of what the rounds took, in milliseconds. */
function middle(costs: readonly Cost[], what: keyof Cost): number {
  const sorted = costs.map((cost) => cost[what] * 1_000).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
