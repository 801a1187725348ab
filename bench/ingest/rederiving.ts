import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { fill, iso, start, twoYears } from './history.ts';
import { processorTime, report, timed, whole } from './report.ts';
import { openOrganisation, repositories, sized } from './world.ts';

export async function measureRederiving(): Promise<void> {
  const { app, id } = await openOrganisation('rederive');
  const all = sized(500_000);
  const filled = await timed(() => fill(app, id, 0, all, all));
  report(
    `filling ${whole(all)} pull requests with ${whole(all * 5)} parts`,
    `${filled.seconds.toFixed(1)} s, ${processorTime(filled)}`,
  );
  const deployments = sized(100_000);
  const deployed = await timed(async () => {
    for (let i = 0; i < deployments; i += 20_000) {
      const lines = Array.from({ length: Math.min(20_000, deployments - i) }, (_, k) => ({
        line: k,
        value: {
          deployment_id: `d${i + k}`,
          repository: `bench/repository-${(i + k) % repositories}`,
          deployed_at: iso(start + Math.floor(((i + k) * twoYears) / deployments)),
          status: (i + k) % 29 === 0 ? 'failure' : 'success',
          environment: 'production',
        },
      }));
      await app.ingest.put(id, [{ table: 'deployments', lines }]);
    }
  });
  report(`filling ${whole(deployments)} deployments`, `${deployed.seconds.toFixed(1)} s, ${processorTime(deployed)}`);
  let isDone = false;
  let slowest = 0;
  let reads = 0;
  const reading = (async () => {
    while (!isDone) {
      const began = performance.now();
      const [counted] = await app.warehouse.read(id, (session) => session.tally(pullRequests, []));
      if (counted?.rows !== all) throw new Error(`a reader saw ${counted?.rows} of ${all} rows`);
      slowest = Math.max(slowest, performance.now() - began);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const cost = await timed(() => app.ingest.rederive(id)).finally(() => {
    isDone = true;
  });
  await reading;
  report(
    'rederiving all of it',
    `${cost.seconds.toFixed(1)} s, ${processorTime(cost)}, ${reads} readers meanwhile, the slowest ${whole(slowest)} ms`,
  );
  await app.close();
}
