import type { Query, QuerySession } from './plan.ts';

/**
 * How many answers to anonymous surveys a question leaves out. Undefined where none are asked about, or the organisation's
 * surveys are not anonymous and none of an earlier one is left out. Metrics of one question look at the same answers.
 */
export async function countSuppressed(session: QuerySession, query: Query): Promise<number | undefined> {
  const plans = query.plans.filter(({ from }) => from.table.anonymous);
  if (plans.length === 0) return undefined;
  let most = 0;
  for (const plan of plans) most = Math.max(most, await session.suppressed(plan));
  const areAnonymous = plans.some(({ from }) => from.areAnswersAnonymous);
  return most > 0 || areAnonymous ? most : undefined;
}
