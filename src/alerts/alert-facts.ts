import type { Principal } from '../access/principal.ts';
import { type RequestTicket, ticketOf } from '../admission/ticket.ts';
import type { Attention, NeedsAttention } from '../attention/needs-attention.ts';
import { TimeZone } from '../calendar.ts';
import { organisationReads } from '../data-extent/organisation-reads.ts';
import type { Documents } from '../documents/documents.ts';
import { addsUpIn } from '../goals/goal.ts';
import { historyOfGoal, valuesOfPeriods } from '../goals/goal-history.ts';
import type { GoalDocument } from '../goals/goal-kind.ts';
import { type GoalLevel, type GoalPeriod, wholePeriods } from '../goals/goal-periods.ts';
import type { Metrics } from '../query/answer-metric.ts';
import { isCompleteAt } from '../query/judged-changes.ts';
import { Refusal } from '../refusal.ts';
import { listSources } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';
import type { AlertRule } from './alert-document.ts';
import type { RuleOf } from './alert-kind.ts';
import type { SourceReads } from './causes.ts';
import type { MetricPeriod, UnusualForm } from './unusual.ts';

/** What is known about the subject of a rule, with what a message says of it. */
export type KnownFacts =
  | {
      readonly kind: 'goal_missed';
      readonly history: readonly GoalPeriod[];
      readonly goal: GoalDocument;
    }
  | {
      readonly kind: 'unusual';
      readonly history: readonly (MetricPeriod & { readonly lastDay: string })[];
      readonly form: UnusualForm;
    }
  | { readonly kind: 'source_behind'; readonly sources: readonly SourceReads[] }
  | { readonly kind: 'waiting'; readonly count: number; readonly found: NeedsAttention };

interface AlertFactParts {
  readonly store: Pick<Store, 'read'>;
  readonly metrics: Pick<Metrics, 'single'>;
  readonly attention: Pick<Attention, 'of'>;
  readonly goals: Pick<Documents<GoalDocument>, 'read'>;
  readonly now: () => Date;
}

/** Back to where something was told that may be over since. */
const periodsAsked: Readonly<Record<GoalLevel, number>> = { week: 104, month: 60, quarter: 39 };
/** As many as a page lists. */
const maxWaiting = 200;

/** Looks up what a rule is about, in the rights of one person. Undefined where that person may not see it. */
export async function factsOf(
  parts: AlertFactParts,
  principal: Principal,
  rule: AlertRule,
  signal?: AbortSignal,
): Promise<KnownFacts | undefined> {
  const ticket = ticketOf({ ...principal, keyId: '' }, Number.POSITIVE_INFINITY, signal);
  try {
    switch (rule.kind) {
      case 'goal_missed':
        return await goalFacts(parts, principal, rule, ticket);
      case 'unusual':
        return await unusualFacts(parts, principal, rule, ticket);
      case 'source_behind':
        return { kind: rule.kind, sources: await sourceReads(parts.store, principal.organisationId) };
      case 'waiting': {
        const { filters, hours } = rule;
        const found = await parts.attention.of(principal, { filters, hours, maxRows: maxWaiting, ticket });
        return { kind: rule.kind, count: found.waiting[rule.for].count, found };
      }
    }
  } catch (error) {
    // Someone has lost the right to it, or it is gone.
    if (error instanceof Refusal && (error.reason === 'forbidden' || error.reason === 'not-found')) return undefined;
    throw error;
  }
}

async function goalFacts(
  { goals, metrics, now }: AlertFactParts,
  principal: Principal,
  rule: RuleOf<'goal_missed'>,
  ticket: RequestTicket,
): Promise<KnownFacts> {
  const { document: goal } = await goals.read({ principal, ticket }, rule.goal);
  const { periods } = await historyOfGoal({ metrics, now }, principal, goal, {
    periods: periodsAsked[goal.period],
    ticket,
  });
  // A goal says nothing of the time before it.
  return { kind: rule.kind, goal, history: periods.filter(({ firstDay }) => firstDay >= goal.from) };
}

async function unusualFacts(
  { metrics, now }: AlertFactParts,
  principal: Principal,
  rule: RuleOf<'unusual'>,
  ticket: RequestTicket,
): Promise<KnownFacts> {
  const all = wholePeriods(rule.period, periodsAsked[rule.period], TimeZone.named(principal.timeZone), now());
  const { values, extent } = await valuesOfPeriods({ metrics }, principal, rule, all, ticket);
  const { since, through } = extent ?? {};
  const known = all.map((period, at) => ({ ...period, value: null, n: null, ...values[at] }));
  const last = known.findLastIndex((period) => isCompleteAt(period, through, now()));
  const history = known.slice(0, last + 1).filter(({ from }) => since !== undefined && since <= from);
  return { kind: rule.kind, history, form: addsUpIn(rule) ? 'count' : 'measured' };
}

/** When each source was last read to its end. Streams that are gone or forbidden say nothing of it. */
async function sourceReads(store: Pick<Store, 'read'>, organisationId: string): Promise<SourceReads[]> {
  return store.read(
    async (session) => {
      const { streams } = await organisationReads(session, organisationId);
      const all = [...streams.values()].flat().filter(({ leftOut }) => leftOut === undefined);
      return (await listSources(session, organisationId)).map(({ id, name, created_at: createdAt }) => {
        const ends = all.flatMap(({ source, completeAt }) => (source === name ? (completeAt ?? []) : []));
        const connected = Math.floor(createdAt.getTime() / 1_000);
        return { id, name, lastRead: ends.length === 0 ? connected : Math.min(...ends) };
      });
    },
    { organisationId },
  );
}
