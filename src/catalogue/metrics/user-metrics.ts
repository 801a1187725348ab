import { countDistinct } from '../../expression/expression.ts';
import { aggregated, count, metricsOf } from '../metric.ts';
import { userMetrics } from '../tables/user-metrics.ts';

export const peopleMetrics = metricsOf(userMetrics, {}, (person) => ({
  'users-count': count(countDistinct(person.merged_user_id), {
    meaning: 'People in metrics, as the directory knows them now.',
    column: 'number_of_users',
  }),
  salary: aggregated(person.salary, {
    meaning: 'Yearly salary of the people in metrics.',
    unit: 'usd',
    gate: 'salary',
  }),
}));
