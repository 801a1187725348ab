import { iso, pullRequest, sha, start, twoYears } from './history.ts';
import { processorTime, report, timed, whole } from './report.ts';
import { openOrganisation, sized } from './world.ts';

/** The history of one repository, with its deployments, as a first sync brings it: page by page, the newest first. */
export async function measureBackwards(): Promise<void> {
  const [size, page] = [sized(30_000), 100];
  const one = 'bench/backwards';
  const pages = Array.from({ length: Math.ceil(size / page) }, (_, n) => {
    const numbers = Array.from({ length: Math.min(page, size - n * page) }, (_, k) => n * page + k);
    const prs = numbers.map((i) => ({
      ...pullRequest(i, size).pull_requests[0],
      pr_id: `github:${one}#${i}`,
      repository: one,
    }));
    const deployed = numbers
      .filter((i) => i % 5 === 0)
      .map((i) => ({
        deployment_id: `d${i}`,
        repository: one,
        deployed_at: iso(start + 180_000 + Math.floor((i * twoYears) / size)),
        status: i % 145 === 0 ? 'failure' : 'success',
        environment: 'production',
        sha: sha(i),
      }));
    return [
      { table: 'pull_requests', lines: prs.map((value, line) => ({ line, value })) },
      { table: 'deployments', lines: deployed.map((value, line) => ({ line, value })) },
    ] as const;
  });
  const seconds: number[] = [];
  for (const [label, some] of [
    ['in their order', pages],
    ['the newest first', pages.toReversed()],
  ] as const) {
    const { app, id } = await openOrganisation(label.replaceAll(' ', '-'));
    const cost = await timed(async () => {
      for (const batches of some) await app.ingest.put(id, batches);
    });
    seconds.push(cost.seconds);
    report(
      `${whole(size)} pull requests and their deployments in pages of ${page}, ${label}`,
      `${cost.seconds.toFixed(1)} s, ${processorTime(cost)}`,
    );
    await app.close();
  }
  const [inOrder = 1, newestFirst = 0] = seconds;
  report('the newest first, in times of the order', (newestFirst / inOrder).toFixed(2));
}
