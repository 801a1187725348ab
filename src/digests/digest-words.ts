import { attentionAnswer } from '../attention/attention-answer.ts';
import { type DateLevel, TimeZone } from '../calendar.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { measureOf } from '../charts/measure.ts';
import { shown } from '../charts/shown-value.ts';
import { shownDay } from '../charts/time-buckets.ts';
import { attentionEntries } from '../conclusions/attention-words.ts';
import { type ComparedGroup, largestChanges } from '../conclusions/biggest-changes.ts';
import { countOf } from '../conclusions/counted-words.ts';
import { capitalised } from '../conclusions/number-words.ts';
import { overviewSentence } from '../conclusions/overview-words.ts';
import { changeWords } from '../conclusions/verdict-words.ts';
import { whoseWords } from '../conclusions/visibility-words.ts';
import { shownWindow } from '../conclusions/window-words.ts';
import type { GoalDocument } from '../goals/goal-kind.ts';
import type { GoalPeriod } from '../goals/goal-periods.ts';
import type { MessageContent, MessageFigure, MessageSection } from '../messages/message-content.ts';
import type { DigestWindow } from './digest-schedule.ts';
import type { DigestFigure, OverviewFacts } from './overview-facts.ts';

/** A goal as a digest says it. */
export interface DigestGoal {
  readonly slug: string;
  readonly title: string;
  readonly state: string;
  readonly detail: string;
}

/** What all of a digest's texts depend on. */
export interface DigestSetting {
  readonly organisation: string;
  readonly timeZone: string;
  readonly level: DateLevel;
  readonly window: DigestWindow;
  readonly visibility: keyof typeof whoseWords;
  /** The filters, as the address of a page has them: `team=…`. */
  readonly pageFilters: string;
  /** In whose view it is shown, where others read it. */
  readonly viewOf: string | undefined;
  /** The moment up to which data are complete, where they do not reach to the end of the window. */
  readonly incompleteSince: number | undefined;
}

const names = { day: 'Yesterday', week: 'The week', month: 'The month', quarter: 'The quarter', year: 'The year' };
const before = {
  day: 'the same day a week before',
  week: 'the week before',
  month: 'the month before',
  quarter: 'the quarter before',
  year: 'the year before',
};

/** The overview of a window as a message. */
export function overviewContent(
  facts: OverviewFacts,
  goals: readonly DigestGoal[],
  setting: DigestSetting,
): MessageContent {
  const { organisation, window, level, visibility } = setting;
  const { figures, groups } = facts;
  const sentence = overviewSentence({
    figures: figures.map((figure) => ({ key: figure.key, figure: shownChange(figure) })),
    groups,
    before: before[level],
    ofWhom: whoseWords[visibility].ofWhom,
    inWhose: whoseWords[visibility].inWhose,
  });
  const text = sentence.map((part) => part.text).join('');
  const period = shownWindow(window);
  const sections = [
    changesSection(largestChanges(groups), setting),
    goalsSection(goals),
    waitingSection(facts, setting),
  ].filter((section) => section.lines.length > 0);
  return {
    title: `${names[level]} at ${organisation}: ${period}`,
    organisation,
    period,
    intro: [text],
    figures: figures.map((figure) => figureOf(figure, setting)),
    sections,
    button: { text: 'Open the overview', link: pageLink('/', setting) },
    notes: digestNotes(setting, facts),
    data: {
      start_date: window.start,
      end_date: window.end,
      sentence: text,
      figures: figures.map(({ key, change }) => ({
        metric: key.metric,
        value: change.now.value,
        n: change.now.n,
        previous_value: change.before.value,
        verdict: change.verdict,
        is_better: change.isBetter,
      })),
      goals: goals.map(({ slug, state }) => ({ goal: slug, state })),
      is_complete: setting.incompleteSince === undefined,
    },
  };
}

const shownChange = ({ key, change }: DigestFigure) => ({ ...change, measure: key.measure });

function figureOf(figure: DigestFigure, setting: DigestSetting): MessageFigure {
  const { key, change, trend } = figure;
  const { text, tone, arrow } = changeWords(shownChange(figure), key.of);
  return {
    label: key.label,
    value: shown(change.now.value, key.measure),
    change: {
      text: arrow ? `${arrow} ${text.replace(/^[+−]/, '')}` : text,
      tone: tone === 'secondary' ? 'neutral' : tone,
    },
    trend,
    link: pageLink(key.page, setting),
  };
}

const changesSection = (changes: readonly ComparedGroup[], setting: DigestSetting): MessageSection => ({
  title: 'Biggest changes',
  lines: changes.map((group) => {
    const { figure, name, now, before: earlier } = group;
    const { text, tone } = changeWords({ ...group, measure: figure.measure }, figure.of);
    const of = now.n === null ? '' : `. ${countOf(now.n, figure.of)}`;
    return {
      text: `${name}: ${figure.label}`,
      detail: `${shown(earlier.value, figure.measure)} → ${shown(now.value, figure.measure)}${of}`,
      state: { text, tone: tone === 'secondary' ? 'neutral' : tone },
      link: pageLink(figure.page, setting),
    };
  }),
});

const goodStates: readonly string[] = ['met', 'on_track'];
const badStates: readonly string[] = ['missed', 'off_track', 'at_risk'];
const stateWords: Readonly<Record<string, string>> = {
  met: 'Met',
  missed: 'Missed',
  on_track: 'On track',
  at_risk: 'At risk',
  off_track: 'Off track',
  too_early: 'Too early to say',
  too_few: 'Too few to say',
  no_data: 'No data',
  incomplete: 'Not complete yet',
  limited: 'Covers more than you can see',
};

const goalsSection = (goals: readonly DigestGoal[]): MessageSection => ({
  title: 'Goals',
  lines: goals.map(({ title, state, detail, slug }) => ({
    text: title,
    detail,
    state: {
      text: stateWords[state] ?? state,
      tone: goodStates.includes(state) ? 'good' : badStates.includes(state) ? 'bad' : 'neutral',
    },
    link: `/goal/${slug}`,
  })),
});

function waitingSection({ attention }: OverviewFacts, setting: DigestSetting): MessageSection {
  const entries = attentionEntries(attentionAnswer(attention));
  return {
    title: 'Needs attention now',
    lines: entries.map(({ kind, count, label, more }) => ({
      text: `${label}: ${count}`,
      ...(more === '' ? {} : { detail: more }),
      link: pageLink('/', setting, `now=${kind}`),
    })),
  };
}

function digestNotes({ incompleteSince, timeZone, viewOf, visibility }: DigestSetting, { leftOut }: OverviewFacts) {
  return [
    ...incompleteNote(incompleteSince, timeZone),
    ...viewNote(viewOf),
    ...(visibility === 'organisation' || viewOf !== undefined ? [] : ['It covers the work that you can see.']),
    ...(leftOut.length === 0
      ? []
      : [`Left out, as the filters cannot narrow them: ${leftOut.map(({ label }) => label).join(', ')}.`]),
    `Days begin and end in ${timeZone}. It names teams and repositories, never people.`,
  ];
}

/** Says that data is missing, and up to which day it is all there. */
export function incompleteNote(since: number | undefined, timeZone: string): string[] {
  if (since === undefined) return [];
  const day = shownDay(TimeZone.named(timeZone).dayAt(since - 1));
  return [`Not all data was there when this was sent: it is complete up to ${day}, so these figures may still change.`];
}

export const viewNote = (viewOf: string | undefined): string[] =>
  viewOf === undefined ? [] : [`This is what ${viewOf} can see. Others who read it may see more or less on the pages.`];

/** `1d 4h, should be at most 1d`. */
export function goalDetail(goal: GoalDocument, latest: GoalPeriod | undefined): string {
  const metric = metrics.get(goal.metric);
  if (!metric) throw new Error(`there is no metric ${goal.metric}`);
  const measure = measureOf(metric, goal.aggregation ?? undefined);
  const target = `should be ${goal.should_be === 'below' ? 'at most' : 'at least'} ${shown(goal.value, measure)}`;
  return latest ? `${shown(latest.value, measure)}, ${target}` : capitalised(target);
}

/** A page over the days of the digest, with its filters. */
function pageLink(
  path: string,
  { window, pageFilters }: Pick<DigestSetting, 'window' | 'pageFilters'>,
  own = '',
): string {
  const search = [`r=${window.start}.${window.end}`, pageFilters, own].filter((part) => part !== '').join('&');
  return `${path}?${search}`;
}
