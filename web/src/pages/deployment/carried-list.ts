import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';

/** A pull request that a deployment carried. */
export interface CarriedPullRequest {
  readonly id: string;
  readonly title: string;
  readonly number: number | null;
  readonly author: string | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly mergeToDeploy: number | null;
  readonly leadTime: number | null;
}

/** What the deployment lists, with the times of the pull requests themselves. */
export function carriedList(deployment: Row, times: readonly Row[]): CarriedPullRequest[] {
  const listed = deployment.pull_requests;
  if (!Array.isArray(listed)) return [];
  const byId = new Map(times.map((row) => [textOf(row.pr_id), row]));
  return (listed as readonly Row[]).flatMap((one) => {
    const id = textOf(one.id);
    if (id === null) return [];
    const time = byId.get(id) ?? {};
    return {
      id,
      title: textOf(one.title) ?? id,
      number: numberIn(one, 'number'),
      author: textOf(one.author),
      additions: numberIn(one, 'additions'),
      deletions: numberIn(one, 'deletions'),
      mergeToDeploy: numberIn(time, 'merge_to_deploy'),
      leadTime: numberIn(time, 'lead_time'),
    };
  });
}
