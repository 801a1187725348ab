import {
  and,
  countDistinct,
  isAnyOf,
  isPresent,
  isTrue,
  median,
  not,
  or,
  ratio,
  when,
} from '../../expression/expression.ts';
import { aggregated, count, fixed, type MetricDescription, metricsOf, rate } from '../metric.ts';
import { deployments } from '../tables/deployments.ts';
import { pullRequests } from '../tables/pull-requests.ts';
import { releaseDetails } from '../tables/release-details.ts';

export const releaseMetrics = metricsOf(releaseDetails, {}, (release) => ({
  'releases-count': count(countDistinct(release.release_id), { meaning: 'Number of releases, prereleases included.' }),
}));

/** Only production counts; rows of other environments, and cancelled ones, are present and count 0. */
export const deploymentMetrics = metricsOf(deployments, { dates: ['deployed_at'] }, (deployment) => {
  const { deployment_id: id, status } = deployment;
  const isProduction = isTrue(deployment.is_production);
  const isSuccess = and(isProduction, isAnyOf(status, 'success'));
  const isRun = and(isProduction, isAnyOf(status, 'success', 'failure'));
  const isRemediation = isTrue(deployment.is_remediation);
  const isChange = and(isRun, not(isRemediation));
  const isRework = and(isSuccess, or(isRemediation, isTrue(deployment.is_rollback)));
  const restored = when(isProduction, deployment.time_to_restore);
  const restore: MetricDescription = {
    meaning:
      'From the bad change live, the incident opened or the run failed, to restored. Also called failed deployment recovery time. Those not restored are left out.',
    unit: 'seconds',
    better: 'lower',
  };

  return {
    'deployment-frequency': count(countDistinct(id, isSuccess), {
      meaning: 'Distinct successful deployments to production.',
      better: 'higher',
    }),
    'change-failure-rate': rate(
      ratio(countDistinct(id, and(isChange, isPresent(deployment.failure_reason))), countDistinct(id, isChange)),
      {
        denominator: 'things',
        meaning:
          'Failed deployments divided by all that succeeded or failed, in production. Remediations are on neither side.',
        better: 'lower',
      },
    ),
    'deployment-rework-rate': rate(ratio(countDistinct(id, isRework), countDistinct(id, isRun)), {
      denominator: 'things',
      meaning:
        'Successful deployments that put something right (only reverts and hotfixes, or a rollback) divided by all that succeeded or failed, in production.',
      better: 'lower',
    }),
    'time-to-restore-p50': fixed(median(restored), { ...restore, meaning: `Median. ${restore.meaning}` }),
    'time-to-restore': aggregated(restored, restore),
    'deployment-success-rate': rate(ratio(countDistinct(id, isSuccess), countDistinct(id, isRun)), {
      denominator: 'things',
      meaning: 'Successful deploy runs divided by all that succeeded or failed, in production.',
      better: 'higher',
    }),
    'prs-per-deployment': aggregated(when(isSuccess, deployment.prs_included), {
      meaning: 'Pull requests carried by a successful production deployment. Those that carried none are included.',
      better: 'lower',
    }),
  };
});

/** How long changes take to reach production, by pull request. */
const leadTime = { dates: ['pr_merged_at', 'pr_created_at'], readsDeployments: true } as const;
export const leadTimeMetrics = metricsOf(pullRequests, leadTime, (pr) => {
  const clock = (meaning: string): MetricDescription => ({ meaning, unit: 'seconds', better: 'lower' });

  return {
    'lead-time-for-changes': aggregated(pr.lead_time, clock('First commit (else creation) to production.')),
    'lead-time-for-changes-p50': fixed(
      median(pr.lead_time),
      clock('Median of first commit (else creation) to production.'),
    ),
    'merge-to-deploy': aggregated(pr.merge_to_deploy, clock('Merged to production.')),
    'merge-to-deploy-p50': fixed(median(pr.merge_to_deploy), clock('Median of merged to production.')),
    'open-to-deploy': aggregated(pr.open_to_deploy, clock('Opened to production.')),
    'queue-time': aggregated(pr.queue_time, {
      ...clock('Last entry to the merge queue to merged.'),
      readsDeployments: false,
    }),
  };
});
