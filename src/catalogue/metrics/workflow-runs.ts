import { aggregate, isAnyOf, isPresent, ratio, count as rowCount } from '../../expression/expression.ts';
import { aggregated, count, fixed, metricsOf, rate } from '../metric.ts';
import { workflowRuns } from '../tables/workflow-runs.ts';

export const workflowMetrics = metricsOf(workflowRuns, { dates: ['run_created_at', 'run_updated_at'] }, (run) => ({
  'workflow-runs-count': count(rowCount(), { meaning: 'Number of workflow runs.' }),
  'workflow-run-duration': aggregated(run.run_duration, {
    meaning: 'Run started to finished. Nothing without a conclusion.',
    unit: 'seconds',
    better: 'lower',
  }),
  'workflow-run-duration-p95': fixed(aggregate('p95', run.run_duration), {
    meaning: '95th percentile of the time from a run’s start to its end.',
    unit: 'seconds',
    better: 'lower',
  }),
  'workflow-run-success-rate': rate(
    ratio(rowCount(isAnyOf(run.run_conclusion, 'success')), rowCount(isPresent(run.run_conclusion))),
    { denominator: 'things', meaning: 'Successful runs divided by runs that have a conclusion.', better: 'higher' },
  ),
  'artifact-sizes': aggregated(run.artifact_bytes, { meaning: 'Size of the artifacts of a run.', unit: 'bytes' }),
  'estimated-workflow-run-cost': aggregated(run.estimated_cost, {
    meaning: 'Billable minutes times the price of each kind of runner.',
    unit: 'usd',
    better: 'lower',
  }),
}));
