import { type Principal, visibilityNameOf } from '../access/principal.ts';
import { ticketOf } from '../admission/ticket.ts';
import { pageFiltersOf } from '../alerts/page-filters-of-rule.ts';
import { whyNotShown } from '../alerts/rule-fields.ts';
import type { Attention } from '../attention/needs-attention.ts';
import type { Board } from '../boards/board.ts';
import { addDays, TimeZone } from '../calendar.ts';
import { metrics as allMetrics } from '../catalogue/metrics/all-metrics.ts';
import { isFactTable } from '../catalogue/tables/all-tables.ts';
import { keyFigures } from '../conclusions/key-figure-words.ts';
import type { Documents } from '../documents/documents.ts';
import { historyOfGoal } from '../goals/goal-history.ts';
import type { GoalDocument } from '../goals/goal-kind.ts';
import type { MessageContent } from '../messages/message-content.ts';
import type { Metrics } from '../query/answer-metric.ts';
import { isCompleteAt } from '../query/judged-changes.ts';
import type { DataExtent } from '../query/question-port.ts';
import { Refusal } from '../refusal.ts';
import { boardContent } from './board-digest-words.ts';
import { answerPanels, daysOfBoard, lastDayOfBoard, whyPanelNotShown } from './board-panels.ts';
import type { Digest } from './digest-kind.ts';
import { type DigestSchedule, windowOfDigest } from './digest-schedule.ts';
import {
  type DigestGoal,
  type DigestSetting,
  goalDetail,
  incompleteNote,
  overviewContent,
  viewNote,
} from './digest-words.ts';
import { backgroundTicket, overviewFacts } from './overview-facts.ts';

export interface DigestMakerParts {
  readonly metrics: Pick<Metrics, 'single'>;
  readonly attention: Pick<Attention, 'of'>;
  readonly extents: Pick<DataExtent, 'of'>;
  readonly boards: Pick<Documents<Board>, 'read'>;
  readonly goals: Pick<Documents<GoalDocument>, 'list'>;
  readonly now: () => Date;
}

/** A digest that is due, and in whose rights it is made. */
interface DueDigest {
  readonly digest: Digest;
  readonly slug: string;
  readonly organisation: string;
  readonly schedule: DigestSchedule;
  /** The day on which it is due, in the organisation's time zone. */
  readonly dueDay: string;
  /** The name of the person whose view others read. */
  readonly viewOf: string | undefined;
  /** Whether anybody but its owner reads it. */
  readonly isForOthers: boolean;
}

const maxGoals = 20;

/** A digest as a message in the rights of one person; undefined where they may not see what it shows. */
export async function makeDigest(
  parts: DigestMakerParts,
  principal: Principal,
  due: DueDigest,
  signal?: AbortSignal,
): Promise<MessageContent | undefined> {
  const { digest, isForOthers } = due;
  if (isForOthers && whyNotShown({ filters: digest.filters }) !== undefined) return undefined;
  try {
    return digest.board === null
      ? await makeOverview(parts, principal, due, signal)
      : await makeBoard(parts, principal, { ...due, board: digest.board }, signal);
  } catch (error) {
    if (error instanceof Refusal && (error.reason === 'forbidden' || error.reason === 'not-found')) return undefined;
    throw error;
  }
}

async function makeOverview(
  parts: DigestMakerParts,
  principal: Principal,
  { digest, organisation, schedule, dueDay, viewOf, isForOthers }: DueDigest,
  signal: AbortSignal | undefined,
): Promise<MessageContent> {
  const { filters } = digest;
  const window = windowOfDigest(schedule, dueDay);
  const level = schedule.unit;
  const facts = await overviewFacts(parts, principal, { window, level, filters, signal });
  const setting: DigestSetting = {
    organisation,
    timeZone: principal.timeZone,
    level,
    window,
    visibility: visibilityNameOf(principal),
    pageFilters: pageFiltersOf(filters).toString(),
    viewOf,
    incompleteSince: await incompleteSince(parts, principal, metricsOfOverview, window.end),
  };
  return overviewContent(facts, await goalsOf(parts, principal, { isForOthers, signal }), setting);
}

async function makeBoard(
  { metrics, boards, extents, now }: DigestMakerParts,
  principal: Principal,
  { digest, board: slug, organisation, dueDay, viewOf, isForOthers }: DueDigest & { readonly board: string },
  signal: AbortSignal | undefined,
): Promise<MessageContent> {
  const ticket = backgroundTicket(principal, signal);
  const { document: board } = await boards.read({ principal, ticket }, slug);
  const panels = board.panels.filter((panel) => !isForOthers || whyPanelNotShown(panel, board) === undefined);
  const lastWholeDay = addDays(dueDay, -1);
  const answered = await answerPanels(
    metrics,
    principal,
    { ...board, panels },
    {
      filters: digest.filters,
      lastWholeDay,
      ticket,
    },
  );
  const names = panels.map(({ metric }) => metric);
  const since = await incompleteSince({ extents, now }, principal, names, lastDayOfBoard(board, dueDay));
  return boardContent(answered, {
    organisation,
    timeZone: principal.timeZone,
    board: slug,
    title: board.title,
    days: daysOfBoard(board, lastWholeDay),
    panelCount: board.panels.length,
    hiddenCount: board.panels.length - panels.length,
    notes: [...incompleteNote(since, principal.timeZone), ...viewNote(viewOf)],
  });
}

export const metricsOfOverview: readonly string[] = keyFigures.map(({ metric }) => metric);

/**
 * The moment up to which the data of some metrics are complete, where that is before the end of a day. Tables without
 * rows hold nothing up.
 */
export async function incompleteSince(
  { extents, now }: Pick<DigestMakerParts, 'extents' | 'now'>,
  { organisationId, timeZone }: Pick<Principal, 'organisationId' | 'timeZone'>,
  metrics: readonly string[],
  lastDay: string,
): Promise<number | undefined> {
  const zone = TimeZone.named(timeZone);
  const window = { firstDay: lastDay, lastDay, from: zone.startOf(lastDay), until: zone.startOf(addDays(lastDay, 1)) };
  const tables = new Set(metrics.flatMap((name) => allMetrics.get(name)?.table.name ?? []).filter(isFactTable));
  const ends: number[] = [];
  for (const table of tables) {
    const { through } = await extents.of(organisationId, [table], { ticket: ticketOf({ organisationId, keyId: '' }) });
    if (through !== undefined && !isCompleteAt(window, through, now())) ends.push(through);
  }
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The goals that somebody sees, with what they come to now: for others without those that are about somebody's reports. */
async function goalsOf(
  { goals, metrics, now }: DigestMakerParts,
  principal: Principal,
  { isForOthers, signal }: { readonly isForOthers: boolean; readonly signal: AbortSignal | undefined },
): Promise<DigestGoal[]> {
  const ticket = backgroundTicket(principal, signal);
  const shown = (await goals.list({ principal, ticket })).filter(
    ({ document }) => !isForOthers || whyNotShown(document) === undefined,
  );
  const found: DigestGoal[] = [];
  for (const { slug, document: goal } of shown.slice(0, maxGoals)) {
    const { state, latest } = await historyOfGoal({ metrics, now }, principal, goal, { periods: 1, ticket });
    found.push({ slug, title: goal.title, state, detail: goalDetail(goal, latest) });
  }
  return found;
}
