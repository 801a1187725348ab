import { Link } from 'wouter';
import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { deploymentLink } from '../../view/deployment-link.ts';
import { attributionWords, deploymentTitle, failureWords, sourceWords } from '../../view/deployment-words.ts';
import { counted, duration, shownTime } from '../../view/format.ts';

interface DeploymentCardProps {
  readonly row: Row;
  readonly deployment: Row | undefined;
  readonly view: View;
  readonly isLoading: boolean;
}

/** How the pull request reached production, or why no record says so. */
export function DeploymentCard({ row, deployment, view, isLoading }: DeploymentCardProps) {
  const attribution = attributionWords(row.deployment_attribution_status);
  return (
    <section className="card" aria-labelledby="deployment">
      <header>
        <div>
          <h2 id="deployment">
            {row.deployment_id ? (
              <Link href={deploymentLink(view, row)}>{deploymentTitle(deployment ?? row, view.zone)}</Link>
            ) : (
              'Deployment'
            )}
          </h2>
          <p className="subtitle" title={sourceWords(row.deployment_source).meaning}>
            {row.deployment_source === null
              ? 'No deployment data yet'
              : `Deployment source: ${sourceWords(row.deployment_source).name}`}
          </p>
        </div>
      </header>
      <p>
        {attribution.name}.{' '}
        {row.is_promotion_pr === true
          ? 'It’s a promotion: the pull requests it brings have lead times of their own.'
          : attribution.meaning}
      </p>
      {deployment ? (
        <p>{whatBecame(deployment, view.zone)}</p>
      ) : (
        row.deployment_id !== null &&
        !isLoading && <p className="secondary">You don’t have access to the deployment.</p>
      )}
    </section>
  );
}

function whatBecame(deployment: Row, zone: string): string {
  const carried = numberIn(deployment, 'prs_included');
  const count = carried === null ? '' : `It contains ${counted(carried, 'pull request', 'pull requests')}. `;
  if (deployment.failure_reason === null) return `${count}No failure is known.`;
  const reason = failureWords(deployment.failure_reason);
  const restored = textOf(deployment.restored_at);
  const after = numberIn(deployment, 'time_to_restore');
  return `${count}It counts as a change failure: ${reason.meaning} ${
    restored === null
      ? 'It is not restored yet.'
      : `Restored ${shownTime(restored, zone)}${after === null ? '' : `, after ${duration(after)}`}.`
  }`;
}
