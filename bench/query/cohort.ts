import type { BareEngine } from './engine.ts';
import type { ComparedRows } from './question.ts';
import { begins, endOfHistory } from './sizes.ts';
import type { Organisation } from './world.ts';

/** The benchmark of cycle time over a year, with the two clocks that belong to it. */
export const metrics = ['cycle-time', 'pickup-time', 'review-time'] as const;

export const cohortBody = (lastDay: string): object => ({
  filters: { start_date: begins.year, end_date: lastDay },
  benchmark_metric: 'cycle-time',
  date_field: 'merged_at',
});

const values = 'count(*), avg(pr.cycle_time), avg(pr.pickup_time), avg(pr.review_time)';
const where = `pr.pr_merged_at >= TIMESTAMP '${begins.year}' AND pr.pr_merged_at < TIMESTAMP '${endOfHistory}'
  AND (leaver.merged_user_id IS NULL OR pr.is_bot)`;

/** One statement for each file. */
export async function askFiles(engine: BareEngine, organisations: readonly Organisation[]): Promise<ComparedRows> {
  const rows = [];
  for (const { number } of organisations) {
    const [row = []] = await engine.rows(`SELECT ${values}
      FROM organisation_${number}.pull_requests AS pr
      LEFT JOIN (SELECT merged_user_id FROM organisation_${number}.people WHERE NOT onboarded) AS leaver
        ON leaver.merged_user_id = pr.merged_user_id
      WHERE ${where}`);
    rows.push([number, ...row]);
  }
  return rows;
}

/** One statement for all organisations. */
export const ofAll = `SELECT pr.organisation, ${values}
  FROM pull_requests AS pr
  LEFT JOIN people AS leaver ON leaver.merged_user_id = pr.merged_user_id
    AND leaver.organisation = pr.organisation AND NOT leaver.onboarded
  WHERE ${where} GROUP BY pr.organisation`;

const minRecords = 30;

/** What a benchmark says of the large organisation, from one row for each. */
export function comparedWith(rows: ComparedRows): ComparedRows {
  const own = rows.find(([number]) => number === 0) ?? [];
  const others = rows.filter(([number, records]) => number !== 0 && Number(records) >= minRecords);
  return metrics.map((name, i) => {
    const value = Number(own[i + 2]);
    const cohort = others.map((row) => Number(row[i + 2])).sort((a, b) => a - b);
    const at = (share: number): number => {
      const place = (cohort.length - 1) * share;
      const [below = 0, above = 0] = [cohort[Math.floor(place)], cohort[Math.ceil(place)]];
      return Number((below + (above - below) * (place % 1)).toPrecision(3));
    };
    const lower = cohort.filter((other) => other < value).length;
    const same = cohort.filter((other) => other === value).length;
    // In steps of 5, as they are answered.
    const percentile = Math.round(((lower + same / 2) / cohort.length) * 20) * 5;
    return [name, value, at(0.25), at(0.5), at(0.75), percentile];
  });
}

/** The same from Plumb's answer. */
export function comparedBy(answer: string): ComparedRows {
  const { results } = JSON.parse(answer) as { results: Readonly<Record<string, string | number | null>>[] };
  const columns = ['metric_name', 'value', 'benchmark_p25', 'benchmark_p50', 'benchmark_p75', 'percentile'];
  return results.map((result) => columns.map((name) => result[name] ?? null));
}
