import type { TimeZone } from '../calendar.ts';
import type { AlertRule } from './alert-document.ts';
import {
  type CauseState,
  type Finding,
  findGoalMissed,
  findSourcesBehind,
  findUnusual,
  findWaiting,
  type Happening,
  type SourceReads,
  type StatedPeriod,
  tell,
  toldIn,
} from './causes.ts';
import { isQuiet, type QuietHours } from './quiet-hours.ts';
import type { MetricPeriod, UnusualForm } from './unusual.ts';

/** What is known about the subject of a rule, as far as one person may see it. */
export type RuleFacts =
  | { readonly kind: 'goal_missed'; readonly history: readonly StatedPeriod[] }
  | { readonly kind: 'unusual'; readonly history: readonly MetricPeriod[]; readonly form: UnusualForm }
  | { readonly kind: 'source_behind'; readonly sources: readonly SourceReads[] }
  | { readonly kind: 'waiting'; readonly count: number };

interface EvaluatedAlert {
  readonly rule: AlertRule;
  readonly quiet?: QuietHours | undefined;
}

interface EvaluationClock {
  /** In seconds since 1970. */
  readonly now: number;
  readonly zone: TimeZone;
}

/** What an alert tells one person now, and what is remembered of it. */
export interface Evaluation {
  readonly happenings: readonly Happening[];
  readonly states: readonly CauseState[];
}

/**
 * Evaluates a rule for one person. Without facts, where the person may not see what it is about, nothing happens, and what
 * was told stays told.
 */
export function evaluateRule(
  { rule, quiet }: EvaluatedAlert,
  facts: RuleFacts | undefined,
  before: readonly CauseState[],
  { now, zone }: EvaluationClock,
): Evaluation {
  if (!facts) return { happenings: [], states: before };
  const isQuietNow = isQuiet(quiet, now, zone);
  const told = toldIn(before);
  const found = (): Finding => {
    if (rule.kind === 'goal_missed' && facts.kind === rule.kind)
      return findGoalMissed(facts.history, rule.periods, told);
    if (rule.kind === 'unusual' && facts.kind === rule.kind) return findUnusual(facts.history, facts.form, told);
    if (rule.kind === 'source_behind' && facts.kind === rule.kind)
      return findSourcesBehind(facts.sources, { hours: rule.hours, now }, told);
    if (rule.kind === 'waiting' && facts.kind === rule.kind)
      return findWaiting(facts.count, { day: zone.dayAt(now), isQuietNow }, told);
    throw new Error(`facts of ${facts.kind} for a rule of ${rule.kind}`);
  };
  return tell(before, found(), isQuietNow);
}
