import { setOrganisation } from '../../../src/directory/organisations.ts';
import { setPerson } from '../../../src/directory/people.ts';
import {
  type Contents,
  type HttpAnswer,
  type HttpRequest,
  type Service,
  type ServiceOptions,
  startService,
} from '../../setup/running-app.ts';
import { unchanged } from '../../setup/unchanged-service.ts';
import { asNdjson, ndjson } from '../ingest/some-records.ts';

export const actor = { via: 'command', user: 'test' } as const;

/** Pull requests of three people, one a day from the first of March 2024 on, and something of everything else. */
export const pullRequestsCount = 30;
const authors = ['ada', 'grace', 'edsger'] as const;

const pullRequests = Array.from({ length: pullRequestsCount }, (_, n) => {
  const day = String(1 + n).padStart(2, '0');
  return {
    pr_id: `pr-${String(n).padStart(2, '0')}`,
    pr_number: n,
    pr_title: `Change ${n}, "quoted" – ä`,
    source: 'github',
    repository: n % 2 === 0 ? 'acme/web' : 'acme/api',
    person_email: `${authors[n % authors.length]}@example.com`,
    pr_state: 'merged',
    additions: n * 10,
    deletions: n,
    labels: ['a', 'b'].slice(0, n % 3),
    first_commit_at: `2024-03-${day}T08:00:00Z`,
    pr_created_at: `2024-03-${day}T09:00:00Z`,
    pr_merged_at: `2024-03-${day}T${String(10 + (n % 8)).padStart(2, '0')}:30:00Z`,
  };
});

const records = {
  pull_requests: pullRequests,
  pull_request_reviews: [
    {
      pr_review_id: 'review-1',
      pr_id: 'pr-00',
      person_email: 'grace@example.com',
      reviewed_at: '2024-03-01T09:30:00Z',
      review_state: 'approved',
    },
  ],
  ai_copilot: [{ person_email: 'ada@example.com', source: 'cursor', date: '2024-03-05', is_active: true }],
  survey_recipients: [
    { survey_recipient_id: 'recipient-1', survey_id: 'survey-1', created_at: '2024-03-02T09:00:00Z' },
  ],
} as const;

export const someMetrics: Contents = {
  name: 'some metrics',
  async put(app, organisationId) {
    const batch = Object.entries(records).map(([table, values]) => ({
      table: table as keyof typeof records,
      lines: values.map((value, line) => ({ line, value })),
    }));
    const rejected = (await app.ingest.put(organisationId, batch)).flatMap((outcome) => outcome.rejected);
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  },
};

export const startMetrics = (options: ServiceOptions = {}): Promise<Service> =>
  startService({ now: () => new Date('2024-04-10T12:00:00Z'), contents: someMetrics, ...options });

/** The same for test files that change nothing. */
export const unchangedMetrics = (): (() => Service) => unchanged('some metrics', startMetrics);

export async function putRecords(service: Service, table: string, rows: readonly unknown[]): Promise<void> {
  const body = ndjson(rows);
  const answer = await service.request('POST', `/ingest/${table}`, {
    key: service.keys.owner,
    headers: asNdjson,
    body,
  });
  if (answer.status !== 200 || (answer.json as { rejected: number }).rejected > 0) throw new Error(answer.text);
}

/** The month in which everything happened. */
export const march = { start_date: '2024-03-01', end_date: '2024-03-31' } as const;

/** Asks with the owner's key, unless another is given. */
export const asking =
  (service: () => Service) =>
  (path: string, body: unknown, asked: HttpRequest = {}): Promise<HttpAnswer> =>
    service().request('POST', `/metrics/${path}`, { key: service().keys.owner, body, ...asked });

export const detailOf = (answer: HttpAnswer): string => (answer.json as { detail: string }).detail;

export async function organise(service: Service, values: Readonly<Record<string, string>>): Promise<void> {
  const { app, organisationId } = service;
  await setOrganisation(app.directory, { organisationId, actor }, values);
}

export async function change(service: Service, email: string, fields: Parameters<typeof setPerson>[3]): Promise<void> {
  const { app, organisationId } = service;
  await setPerson(app.directory, { organisationId, actor }, email, fields, { create: false });
}
