import { Link } from 'wouter';
import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/use-view.ts';
import { deploymentLink } from '../../view/deployment-link.ts';
import { attributionWords, deploymentTitle, failureWords, sourceWords } from '../../view/deployment-words.ts';
import { duration, shownTime } from '../../view/format.ts';
import { deploymentCardWords } from './words.ts';

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
              deploymentCardWords.deployment
            )}
          </h2>
          <p className="subtitle" title={sourceWords(row.deployment_source).meaning}>
            {row.deployment_source === null
              ? deploymentCardWords.noDeploymentDataYet
              : deploymentCardWords.deploymentSource(sourceWords(row.deployment_source).name)}
          </p>
        </div>
      </header>
      <p>
        {attribution.name}.{' '}
        {row.is_promotion_pr === true ? deploymentCardWords.itsPromotionPullRequests : attribution.meaning}
      </p>
      {deployment ? (
        <p>{whatBecame(deployment, view.zone)}</p>
      ) : (
        row.deployment_id !== null && !isLoading && <p className="secondary">{deploymentCardWords.youDontHaveAccess}</p>
      )}
    </section>
  );
}

function whatBecame(deployment: Row, zone: string): string {
  const carried = numberIn(deployment, 'prs_included');
  const count = carried === null ? '' : deploymentCardWords.itContains(carried);
  if (deployment.failure_reason === null) return deploymentCardWords.noFailureKnown(count);
  const reason = failureWords(deployment.failure_reason);
  const restored = textOf(deployment.restored_at);
  const after = numberIn(deployment, 'time_to_restore');
  const failed = deploymentCardWords.countsAsFailure(count, reason.meaning);
  if (restored === null) return `${failed} ${deploymentCardWords.notRestored}`;
  const time = shownTime(restored, zone);
  return `${failed} ${after === null ? deploymentCardWords.restored(time) : deploymentCardWords.restoredAfter(time, duration(after))}`;
}
