import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import type { Condition } from '../../../src/warehouse/intake-port.ts';
import type { Service } from '../../setup/running-app.ts';

/** A pull request as a record, the same for the same number. */
export const pullRequest = (n: number) => ({
  pr_id: `github:acme/web#${n}`,
  pr_number: n,
  pr_title: `Change ${n}`,
  source: 'github',
  repository: 'acme/web',
  person_login: 'ada',
  pr_state: 'open',
  pr_created_at: '2024-03-04T10:00:00Z',
});

export const ndjson = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const asNdjson = { 'content-type': 'application/x-ndjson' };
export const asJson = { 'content-type': 'application/json' };

export const keptPullRequests = (service: Service, where?: Condition) =>
  service.app.warehouse.read(service.organisationId, (session) =>
    session.select(pullRequests, ['pr_id', 'pr_number', 'pr_title', 'pr_state', 'merged_user_id'], where),
  );
