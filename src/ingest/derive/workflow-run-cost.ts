import { closedSpan } from '../../calendar.ts';
import type { WorkflowRunRow } from '../../catalogue/tables/workflow-runs.ts';

/** Started to finished. While a run has no conclusion, its last change is not its end. */
export function runDuration(
  run: Pick<WorkflowRunRow, 'run_started_at' | 'run_updated_at' | 'run_conclusion'>,
): number | null {
  return run.run_conclusion ? closedSpan(run.run_started_at, run.run_updated_at) : null;
}

/** US dollars a minute by kind of runner. */
export type RunnerPrices = Readonly<Record<string, number>>;

/** The public prices of GitHub's smallest hosted runners. An organisation's own prices replace them. */
export const defaultRunnerPrices: RunnerPrices = { ubuntu: 0.008, windows: 0.016, macos: 0.08 };

/**
 * The prices that hold for an organisation, as its settings keep them (JSON text): each kind that it names, and the
 * public price of the others.
 */
export function runnerPrices(configured: string | null): RunnerPrices {
  const own = configured === null ? [] : amountsIn(configured);
  return { ...defaultRunnerPrices, ...Object.fromEntries(own) };
}

/**
 * Billable minutes of each kind of runner times its price, to the millisecond: a source that rounds up to minutes has
 * done so already. A kind without a price adds nothing, because any number would be invented; when no kind that was
 * used has one, nothing is known of the cost. Nothing billable costs nothing.
 */
export function runCost(billableMs: string | null, prices: RunnerPrices = defaultRunnerPrices): number | null {
  if (billableMs === null) return null;
  const used = amountsIn(billableMs).filter(([, ms]) => ms > 0);
  const priced = used.flatMap(([kind, ms]) => {
    const price = Object.hasOwn(prices, kind) ? prices[kind] : undefined;
    return price === undefined ? [] : [(ms / 60_000) * price];
  });
  if (used.length > 0 && priced.length === 0) return null;
  return priced.reduce((sum, cost) => sum + cost, 0);
}

/**
 * Amounts by kind of runner, in the order of the kinds: the same amounts then add up to the same last digit, whatever
 * order a source wrote them in. GitHub spells the kinds in capitals.
 */
function amountsIn(json: string): [kind: string, amount: number][] {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [];
  return Object.entries(parsed)
    .flatMap(([kind, amount]): [string, number][] =>
      typeof amount === 'number' && amount >= 0 ? [[kind.trim().toLowerCase(), amount]] : [],
    )
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
