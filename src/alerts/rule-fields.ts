import { type Metric, takesAggregation } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import {
  fieldsIn,
  filtersIn,
  isFields,
  naming,
  needed,
  shortened,
  type WrittenFields,
  wordIn,
} from '../documents/document-fields.ts';
import type { WritingContext } from '../documents/document-kind.ts';
import { filtersByTeamId, teamIdsIn } from '../documents/teams-of-reader.ts';
import { goalLevels } from '../goals/goal-periods.ts';
import { goalAggregation } from '../goals/goal-question.ts';
import { refuse } from '../query/reading/body.ts';
import { findMetric } from '../query/reading/metric-request.ts';
import { readFilters } from '../query/reading/read-filters.ts';
import { type Alert, type AlertRule, type RuleFilters, waitingFor } from './alert-document.ts';

const ruleFields = {
  goal_missed: ['goal', 'periods'],
  unusual: ['metric', 'aggregation', 'filters', 'period'],
  source_behind: ['hours'],
  waiting: ['for', 'hours', 'filters'],
} as const;

const ruleKinds = Object.keys(ruleFields) as (keyof typeof ruleFields)[];

const limits = {
  /** Two years of weeks. */
  periods: { most: 104, default: 2 },
  /** A year. */
  hours: { most: 8_760 },
} as const;
const defaultHours = { source_behind: 6, waiting: 48 } as const;

type RuleContext = Pick<WritingContext<Alert>, 'principal' | 'teams' | 'now' | 'before'>;

/** Reads a rule: `{"unusual": {"metric": "cycle-time", …}}`. */
export function readRule(written: unknown, context: RuleContext): AlertRule {
  const entries = isFields(written) ? Object.entries(written) : [];
  const [[name, value] = ['', undefined]] = entries;
  const kind = ruleKinds.find((one) => one === name);
  if (entries.length !== 1 || kind === undefined)
    throw refuse(`rule must have exactly one of ${ruleKinds.join(', ')}, such as {"source_behind": {"hours": 6}}.`);
  return naming(`rule.${kind}`, () => readKind(kind, fieldsIn(value ?? {}, ruleFields[kind], 'It'), context));
}

function readKind(kind: keyof typeof ruleFields, fields: WrittenFields, context: RuleContext): AlertRule {
  switch (kind) {
    case 'goal_missed': {
      const { goal } = fields;
      if (typeof goal !== 'string') throw refuse('goal is missing: the name of a goal.');
      return { kind, goal, periods: numberIn(fields, 'periods', limits.periods.most) ?? limits.periods.default };
    }
    case 'unusual': {
      const metric = unusualMetric(fields, context);
      return {
        kind,
        metric: metric.name,
        aggregation: takesAggregation(metric) ? goalAggregation(fields, metric) : null,
        filters: readRuleFilters(fields, metric, context),
        period: needed(wordIn(fields, 'period', goalLevels), 'period', 'week, month or quarter'),
      };
    }
    case 'source_behind':
      return { kind, hours: numberIn(fields, 'hours', limits.hours.most) ?? defaultHours[kind] };
    case 'waiting': {
      const metric = metrics.get('pull-requests-count');
      if (!metric) throw new Error('pull requests can be counted');
      return {
        kind,
        for: needed(wordIn(fields, 'for', waitingFor), 'for', 'review, merge or deploy'),
        hours: numberIn(fields, 'hours', limits.hours.most) ?? defaultHours[kind],
        filters: readRuleFilters(fields, metric, context),
      };
    }
  }
}

/** The metric of a rule. It needs one number for each period. */
function unusualMetric({ metric: written }: WrittenFields, { principal, now }: RuleContext): Metric {
  if (typeof written !== 'string') throw refuse('metric is missing: the name of one, such as cycle-time.');
  if (!metrics.has(written))
    throw refuse(`there is no metric '${shortened(written)}'. GET /catalogue lists all metrics.`);
  const metric = findMetric(written, { principal, now });
  const why =
    metric.dates.length === 0
      ? `${written} tells how people are now, not over time`
      : metric.kind === 'text'
        ? `${written} answers with a text`
        : metric.alwaysBy.length > 0
          ? `${written} is always split by ${metric.alwaysBy.join(' and ')}`
          : undefined;
  if (why !== undefined) throw refuse(`this metric has no periods to compare: ${why}.`);
  return metric;
}

function readRuleFilters(fields: WrittenFields, metric: Metric, { teams, before }: RuleContext): RuleFilters {
  const filters = filtersByTeamId(filtersIn(fields), teams, teamIdsIn(before?.document));
  const dates = windowFilters.find((name) => Object.hasOwn(filters, name));
  if (dates !== undefined) throw refuse(`leave ${dates} out of the filters: a rule is about what is new.`);
  readFilters(filters, [metric]);
  return filters;
}

function numberIn(fields: WrittenFields, name: string, most: number): number | undefined {
  const { [name]: value } = fields;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refuse(`${name} must be a whole number from 1 to ${most}.`);
}

/** Filters that pick out people by name. */
const personFilters: readonly string[] = ['member', 'manager_ids', 'manager_email'];

/** Why what follows from a rule may not go to others; undefined where it may. */
export function whyNotForOthers(rule: AlertRule): string | undefined {
  if (rule.kind !== 'unusual' && rule.kind !== 'waiting') return undefined;
  return whyNotShown({ metric: rule.kind === 'unusual' ? rule.metric : undefined, filters: rule.filters });
}

/** Why a question may not be answered to others: it names a person, or is about salaries or surveys. */
export function whyNotShown(asked: {
  readonly metric?: string | undefined;
  readonly filters?: RuleFilters | undefined;
}) {
  const named = Object.keys(asked.filters ?? {}).find((name) => personFilters.includes(name));
  if (named !== undefined) return `the filter ${named} names a person`;
  const gate = asked.metric === undefined ? undefined : metrics.get(asked.metric)?.gate;
  if (gate === 'salary') return `${asked.metric} is about salaries`;
  return gate === 'survey' ? `${asked.metric} is about surveys` : undefined;
}

/** A rule as people write it. */
export function shownRule(rule: AlertRule, shownFilters: (filters: RuleFilters) => RuleFilters): object {
  const { kind, ...fields } = rule;
  const shown = 'filters' in fields ? { ...fields, filters: shownFilters(fields.filters) } : fields;
  return {
    [kind]: Object.fromEntries(
      ruleFields[kind].flatMap((name) => {
        const value = (shown as Readonly<Record<string, unknown>>)[name];
        return value === null || value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
