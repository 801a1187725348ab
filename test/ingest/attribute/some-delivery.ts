import { deployment, type Event, hour, pullRequest } from './delivery-world.ts';

/** The full name of a commit, from a short one of this test’s own. */
export const sha = (name: string): string => name.padEnd(40, '0');

/** A merged pull request: created two hours before, its first commit an hour earlier still. */
export const merged = (pr_id: string, hours: number, more: Event['fields'] = {}): Event =>
  pullRequest({
    pr_id,
    repository: 'acme/web',
    pr_state: 'merged',
    is_bot: false,
    base_branch: 'main',
    head_branch: `topic-${pr_id}`,
    first_commit_at: hour(hours - 3),
    pr_created_at: hour(hours - 2),
    pr_merged_at: hour(hours),
    merge_commit_sha: sha(`a${pr_id.length}${[...pr_id].map((letter) => letter.charCodeAt(0).toString(16)).join('')}`),
    ...more,
  });

/** The merge commit of a pull request made by `merged`. */
export const mergeOf = (pr_id: string): string => String(merged(pr_id, 0).fields.merge_commit_sha);

/** A reported deployment to production that succeeded. */
export const deployed = (deployment_id: string, hours: number, more: Event['fields'] = {}): Event =>
  deployment({
    deployment_id,
    repository: 'acme/web',
    status: 'success',
    environment: 'production',
    deployed_at: hour(hours),
    ...more,
  });

/** The first known deployment carries nothing, so most stories begin with one. */
export const firstSignal = deployed('first', 0);
