import { isoText, TimeZone } from '../calendar.ts';
import { aggregationLabel } from '../catalogue/labels/aggregation-labels.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { measureOf } from '../charts/measure.ts';
import { duration, shown } from '../charts/shown-value.ts';
import { counted } from '../conclusions/number-words.ts';
import { shownWindow } from '../conclusions/window-words.ts';
import type { Aggregation } from '../expression/expression.ts';
import type { MessageContent, MessageLine } from '../messages/message-content.ts';
import type { AlertRule } from './alert-document.ts';
import type { KnownFacts } from './alert-facts.ts';
import type { Happening } from './causes.ts';
import { pageFiltersOf } from './page-filters-of-rule.ts';
import { periodsCompared } from './unusual.ts';

/** What the texts of an alert depend on, beside what happened. */
export interface AlertSetting {
  readonly slug: string;
  readonly organisation: string;
  readonly timeZone: string;
  /** In whose view it is shown, where others read it. */
  readonly viewOf: string | undefined;
  /** In seconds since 1970. */
  readonly now: number;
}

type FactsOf<K extends KnownFacts['kind']> = Extract<KnownFacts, { kind: K }>;

/** A message about something that happened. */
export function happeningContent(
  happening: Happening,
  rule: AlertRule,
  facts: KnownFacts,
  setting: AlertSetting,
): MessageContent {
  const data = { alert: setting.slug, rule: rule.kind, ...happening };
  const said = whatHappened(happening, rule, facts, setting);
  const notes = [...(said.notes ?? []), ...alertNotes(setting)];
  return { ...said, organisation: setting.organisation, notes, data: { ...data, ...said.data } };
}

type Said = Omit<MessageContent, 'organisation'>;

function whatHappened(happening: Happening, rule: AlertRule, facts: KnownFacts, setting: AlertSetting): Said {
  if (happening.kind === 'goal_missed' && facts.kind === 'goal_missed') return goalMissed(facts);
  if (happening.kind === 'unusual' && facts.kind === 'unusual' && rule.kind === 'unusual')
    return unusual(happening, rule, facts);
  if (happening.kind === 'source_behind') return sourceBehind(happening, setting);
  if (happening.kind === 'source_recovered') return sourceRecovered(happening);
  if (happening.kind === 'waiting' && facts.kind === 'waiting' && rule.kind === 'waiting') return waiting(rule, facts);
  throw new Error(`${happening.kind} does not happen by a rule of ${rule.kind}`);
}

function goalMissed({ goal, history }: FactsOf<'goal_missed'>): Said {
  const measure = measureNamed(goal);
  const missed = history
    .filter(({ state }) => state !== 'incomplete')
    .slice(-6)
    .toReversed();
  const target = `${goal.should_be === 'below' ? 'at most' : 'at least'} ${shown(goal.value, measure)}`;
  const label = labelNamed(goal);
  return {
    title: `Goal missed: ${goal.title}`,
    intro: [`${label} should be ${target} per ${goal.period}.`],
    sections: [
      {
        title: 'The last periods',
        lines: missed.map(({ firstDay, lastDay, value, state }) => ({
          text: `${shownWindow({ start: firstDay, end: lastDay })}: ${shown(value, measure)}`,
          state: stateLabel(state),
        })),
      },
    ],
    button: { text: 'Open the goal', link: `/goal/${goal.goal}` },
    data: { goal: goal.goal },
  };
}

const stateLabel = (state: string): NonNullable<MessageLine['state']> =>
  state === 'missed'
    ? { text: 'Missed', tone: 'bad' }
    : state === 'met'
      ? { text: 'Met', tone: 'good' }
      : { text: 'Too few to say', tone: 'neutral' };

function unusual(
  { period, side }: Extract<Happening, { kind: 'unusual' }>,
  rule: Extract<AlertRule, { kind: 'unusual' }>,
  { history }: FactsOf<'unusual'>,
): Said {
  const measure = measureNamed(rule);
  const label = labelNamed(rule);
  const at = history.findIndex(({ firstDay }) => firstDay === period);
  const recent = history.slice(Math.max(0, at - 1), at + 1);
  const before = history.slice(Math.max(0, at - 1 - periodsCompared), Math.max(0, at - 1));
  const values = before.flatMap(({ value }) => value ?? []);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [before[0]?.firstDay ?? period, recent.at(-1)?.lastDay ?? period];
  const own = new URLSearchParams({
    r: `${first}.${last}`,
    metric: rule.metric,
    ...(rule.aggregation === null ? {} : { agg: rule.aggregation }),
    ...Object.fromEntries(pageFiltersOf(rule.filters)),
  });
  return {
    title: `Unusually ${side}: ${label}`,
    intro: [
      `It was unusually ${side} in two ${rule.period}s in a row, compared with the ${periodsCompared} ${rule.period}s before.`,
      ...(values.length === 0 ? [] : [`In those it was between ${shown(least, measure)} and ${shown(most, measure)}.`]),
    ],
    sections: [
      {
        title: `The last two ${rule.period}s`,
        lines: recent
          .map(({ firstDay, lastDay, value }) => ({
            text: `${shownWindow({ start: firstDay, end: lastDay })}: ${shown(value, measure)}`,
          }))
          .toReversed(),
      },
    ],
    button: { text: 'Open in Explore', link: `/explore?${own.toString()}` },
    data: { metric: rule.metric, values: recent.map(({ firstDay, value }) => ({ period: firstDay, value })) },
  };
}

function sourceBehind(
  { name, since, source }: Extract<Happening, { kind: 'source_behind' }>,
  { timeZone, now }: AlertSetting,
): Said {
  return {
    title: `No new data from ${name}`,
    intro: [
      `${name} has not completed a read since ${shownMoment(since, timeZone)}, ${duration(now - since)} ago.`,
      'What pages and digests say of its data may be out of date.',
    ],
    button: { text: 'Check the connections', link: '/settings/connections' },
    data: { source, since: isoText(since) },
  };
}

const sourceRecovered = ({ name, source }: Extract<Happening, { kind: 'source_recovered' }>): Said => ({
  title: `${name} is read again`,
  intro: [`${name} has recovered: a read was completed.`],
  button: { text: 'Open the connections', link: '/settings/connections' },
  data: { source },
});

const waitsWords = {
  review: { waits: 'for a first review', title: 'Waiting for a first review' },
  merge: { waits: 'to be merged', title: 'Approved, not merged' },
  deploy: { waits: 'to be deployed', title: 'Merged, not deployed' },
} as const;

const maxLines = 50;

function waiting(rule: Extract<AlertRule, { kind: 'waiting' }>, { found, count }: FactsOf<'waiting'>): Said {
  const { records, olderCount } = found.waiting[rule.for];
  const { waits, title } = waitsWords[rule.for];
  const lines = records.slice(0, maxLines).map(({ since, columns }): MessageLine => {
    const name = columns.pr_title ?? `Pull request ${columns.pr_number ?? ''}`;
    return {
      text: String(name),
      detail: [columns.repository_name, `waiting ${duration(found.now - since)}`].filter(Boolean).join(' · '),
      link: `/pull-requests/${encodeURIComponent(String(columns.pr_id))}`,
    };
  });
  const more = count - olderCount - lines.length;
  const own = new URLSearchParams({ now: rule.for, ...Object.fromEntries(pageFiltersOf(rule.filters)) });
  const notes = [
    ...(more > 0 ? [`${counted(more, 'more isn’t', 'more aren’t')} listed here.`] : []),
    ...(olderCount > 0 ? [`${counted(olderCount, 'more has', 'more have')} waited for over 90 days.`] : []),
  ];
  return {
    title: `${counted(count, 'pull request waits', 'pull requests wait')} ${waits}`,
    intro: [`Longer than ${counted(rule.hours, 'hour', 'hours')}, without drafts and bots.`],
    sections: lines.length === 0 ? [] : [{ title, lines }],
    button: { text: 'Open the overview', link: `/?${own.toString()}` },
    notes,
    data: {
      count,
      older_than_90_days: olderCount,
      pull_requests: records.slice(0, maxLines).map(({ since, columns }) => ({
        pr_id: columns.pr_id,
        title: columns.pr_title,
        repository: columns.repository_name,
        since: isoText(since),
      })),
    },
  };
}

/** The example that is sent to try an alert. */
export const exampleContent = (rule: AlertRule, setting: AlertSetting): MessageContent => ({
  title: `A test of the alert ${setting.slug}`,
  organisation: setting.organisation,
  intro: [`This is an example. The alert tells you ${whenItFires(rule)}.`],
  button: { text: 'Open Plumb', link: '/' },
  notes: alertNotes(setting),
  data: { alert: setting.slug, rule: rule.kind, is_test: true },
});

/** What Owners are told about an alert or a digest whose owner was removed. */
export const silencedContent = (kind: 'alert' | 'digest', setting: Omit<AlertSetting, 'viewOf'>): MessageContent => ({
  title: `The ${kind} ${setting.slug} is silent`,
  organisation: setting.organisation,
  intro: [
    `The owner of the ${kind} ${setting.slug} was removed, and nothing of it is sent any more.`,
    'An Owner who saves it again takes it over. It can also be removed.',
  ],
  button: { text: 'Open Plumb', link: '/' },
  notes: ['Owners of the organisation get this once.'],
  data: { [kind]: setting.slug, is_silent: true },
});

function whenItFires(rule: AlertRule): string {
  switch (rule.kind) {
    case 'goal_missed':
      return `when the goal ${rule.goal} is missed ${counted(rule.periods, 'period', 'periods')} in a row`;
    case 'unusual':
      return `when ${labelNamed(rule)} is unusual in two ${rule.period}s in a row`;
    case 'source_behind':
      return `when a source has not completed a read for ${counted(rule.hours, 'hour', 'hours')}`;
    case 'waiting':
      return `once per day which pull requests wait ${waitsWords[rule.for].waits} for longer than ${counted(rule.hours, 'hour', 'hours')}`;
  }
}

const alertNotes = ({ slug, viewOf, timeZone }: AlertSetting): string[] => [
  ...(viewOf === undefined
    ? []
    : [`This is what ${viewOf} can see. Others who read it may see more or less on the pages.`]),
  `Sent by the alert ${slug}. Days begin and end in ${timeZone}.`,
];

interface NamedMetric {
  readonly metric: string;
  readonly aggregation: string | null;
}

function metricNamed({ metric: name }: NamedMetric) {
  const metric = metrics.get(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  return metric;
}

const measureNamed = (named: NamedMetric) => measureOf(metricNamed(named), named.aggregation ?? undefined);

/** `Cycle time, median`. */
function labelNamed(named: NamedMetric): string {
  const { label } = metricNamed(named);
  if (named.aggregation === null) return label;
  const aggregation = named.aggregation.toLowerCase() as Aggregation;
  return `${label}, ${aggregationLabel(aggregation, measureNamed(named) === 'duration')}`;
}

/** `16 November 2026, 08:05`. */
function shownMoment(seconds: number, timeZone: string): string {
  const zone = TimeZone.named(timeZone);
  const day = zone.dayAt(seconds);
  const minutes = Math.floor((seconds + zone.offsetAt(seconds)) / 60) % 1_440;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${shownWindow({ start: day, end: day })}, ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
