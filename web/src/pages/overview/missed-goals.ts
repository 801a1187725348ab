import { isExcluded, type KnownTeams } from '../../../../src/charts/chart-marks.ts';
import type { GoalDocument, ListedGoal } from '../../ask/goal-standing.ts';
import type { RequestFilters } from '../../ask/question.ts';
import { shown } from '../../view/format.ts';
import { measureOfGoal, metricOfGoal, targetWords } from '../../view/goal-values.ts';

interface Overview {
  readonly filters: RequestFilters;
  readonly teams: KnownTeams;
  readonly isOwn: (owner: ListedGoal['owner']) => boolean;
}

/**
 * Goals that are not met and not on their way, as records. Goals for others than the page is about are left out, and so is
 * what others want for themselves, which Owners may see.
 */
export function missedGoals(goals: readonly ListedGoal[], { filters, teams, isOwn }: Overview) {
  return goals
    .filter(({ visible_to: readers = 'me', owner }) => readers !== 'me' || isOwn(owner))
    .filter(({ state }) => state === 'missed' || state === 'off_track')
    .filter((goal) => !isExcluded(goal.filters ?? {}, filters, teams))
    .map((goal) => ({
      goal: goal.goal ?? '',
      title: goal.title,
      metric: metricOfGoal(goal),
      value: latestWords(goal, goal.latest?.value),
      target: targetWords(goal),
    }));
}

const latestWords = (goal: GoalDocument, value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : shown(value, measureOfGoal(goal));
