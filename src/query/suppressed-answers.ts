import type { Query, QuerySession } from './plan.ts';

/**
 * How many answers to surveys a question leaves out, because filters and visibility leave too few respondents of their survey.
 * Undefined where answers are not anonymous, or none are asked about. Metrics of one question look at the same answers.
 */
export async function countSuppressed(session: QuerySession, query: Query): Promise<number | undefined> {
  const plans = query.plans.filter(({ from }) => from.respondentsLeast !== undefined);
  if (plans.length === 0) return undefined;
  let most = 0;
  for (const plan of plans) most = Math.max(most, await session.suppressed(plan));
  return most;
}
