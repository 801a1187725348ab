import { type Contents, type Service, startService } from '../../setup/running-app.ts';
import { unchanged } from '../../setup/unchanged-service.ts';

/** More than an answer is put together of: an answer about all of them is sent as it is read. */
export const manyPullRequests = Array.from({ length: 5_050 }, (_, i) => ({
  pr_id: `many-${i}`,
  source: 'github',
  repository: 'acme/stream',
  person_email: 'ada@example.com',
  first_commit_at: '2023-01-01T00:00:00Z',
  pr_created_at: '2023-01-01T00:01:05Z',
  ...(i % 2 === 0 ? { additions: i } : {}),
}));

/** When all of them happened. */
export const manyAt = { start_date: '2023-01-01', end_date: '2023-01-02' } as const;

const contents: Contents = {
  name: 'many pull requests',
  async put(app, organisationId) {
    const lines = manyPullRequests.map((value, line) => ({ line, value }));
    const [outcome] = await app.ingest.put(organisationId, [{ table: 'pull_requests', lines }]);
    if (outcome?.rejected.length !== 0) throw new Error(JSON.stringify(outcome?.rejected.slice(0, 3)));
  },
};

export const startMany = (): Promise<Service> => startService({ contents });

/** The same for test files that change nothing in it. */
export const unchangedMany = (): (() => Service) => unchanged('many pull requests', startMany);
