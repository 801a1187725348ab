import { isWithinBandAt, type MetricPeriod, type Side, type UnusualForm, unusualAt } from './unusual.ts';

/** Something that a rule has to say. What a message says of it is found out when the message is made. */
export type Happening =
  | { readonly kind: 'goal_missed'; readonly period: string }
  | { readonly kind: 'unusual'; readonly period: string; readonly side: Side }
  | { readonly kind: 'source_behind'; readonly source: string; readonly name: string; readonly since: number }
  | { readonly kind: 'source_recovered'; readonly source: string; readonly name: string }
  | { readonly kind: 'waiting' };

/** What was told of a cause, so that it is told once. */
export interface CauseState {
  readonly cause: string;
  /** The period, moment or day that was told. Null where the cause is over and only its messages still wait. */
  readonly told: string | null;
  /** What happened in quiet hours, in order, and is told after them. */
  readonly held: readonly Happening[];
}

/** What a rule finds: what there is to say, and the causes that are told now. */
export interface Finding {
  readonly happenings: readonly (Happening & { readonly cause: string })[];
  readonly told: ReadonlyMap<string, string>;
}

/** The causes that are told, by name. */
type ToldCauses = ReadonlyMap<string, string>;

export interface StatedPeriod {
  readonly firstDay: string;
  /** `met`, `missed`, or why it is neither. */
  readonly state: string;
}

const goalCause = 'goal';

/** A goal that was missed so many whole periods in a row. It is told again only after it was met. */
export function findGoalMissed(history: readonly StatedPeriod[], periods: number, told: ToldCauses): Finding {
  const whole = history.filter(({ state }) => state !== 'incomplete');
  const last = whole.at(-1);
  const before = told.get(goalCause);
  const isTold = before !== undefined && !whole.some(({ firstDay, state }) => firstDay >= before && state === 'met');
  if (isTold) return { happenings: [], told: new Map([[goalCause, before]]) };
  const recent = whole.slice(-periods);
  if (!last || recent.length < periods || recent.some(({ state }) => state !== 'missed')) return nothing;
  const happening = { kind: 'goal_missed', cause: goalCause, period: last.firstDay } as const;
  return { happenings: [happening], told: new Map([[goalCause, last.firstDay]]) };
}

const unusualCause = 'unusual';

/** A metric whose last two whole periods are unlike those before. It is told again only after a period was usual. */
export function findUnusual(history: readonly MetricPeriod[], form: UnusualForm, told: ToldCauses): Finding {
  const before = told.get(unusualCause);
  const isOverSince = (since: string) =>
    history.some(({ firstDay }, at) => firstDay >= since && isWithinBandAt(history, at, form));
  if (before !== undefined && !isOverSince(before)) return { happenings: [], told: new Map([[unusualCause, before]]) };
  const found = unusualAt(history, history.length - 1, form);
  if (!found) return nothing;
  const { period, side } = found;
  return {
    happenings: [{ kind: 'unusual', cause: unusualCause, period, side }],
    told: new Map([[unusualCause, period]]),
  };
}

export interface SourceReads {
  readonly id: string;
  readonly name: string;
  /** When its last complete read ended, or when it was connected. In seconds since 1970. */
  readonly lastRead: number;
}

/** Sources that have not completed a read for so long, each until it recovers, which is told too. */
export function findSourcesBehind(
  sources: readonly SourceReads[],
  { hours, now }: { readonly hours: number; readonly now: number },
  before: ToldCauses,
): Finding {
  const happenings: Finding['happenings'][number][] = [];
  const told = new Map<string, string>();
  for (const { id, name, lastRead } of sources) {
    const cause = `source ${id}`;
    const known = before.get(cause);
    const isBehind = now - lastRead >= hours * 3_600;
    if (isBehind) told.set(cause, known ?? String(lastRead));
    if (isBehind && known === undefined)
      happenings.push({ kind: 'source_behind', cause, source: id, name, since: lastRead });
    if (!isBehind && known !== undefined) happenings.push({ kind: 'source_recovered', cause, source: id, name });
  }
  return { happenings, told };
}

const waitingCause = 'waiting';

/**
 * Pull requests that wait: all of them in one message a day. In quiet hours nothing happens that could be held, since the
 * message after them has what waits by then.
 */
export function findWaiting(
  count: number,
  { day, isQuietNow }: { readonly day: string; readonly isQuietNow: boolean },
  before: ToldCauses,
): Finding {
  const known = before.get(waitingCause);
  if (isQuietNow || count === 0 || known === day)
    return { happenings: [], told: known === undefined ? new Map() : new Map([[waitingCause, known]]) };
  return { happenings: [{ kind: 'waiting', cause: waitingCause }], told: new Map([[waitingCause, day]]) };
}

const nothing: Finding = { happenings: [], told: new Map() };

interface ToldNow {
  /** What is told now: of each cause in the order in which it happened. */
  readonly happenings: readonly Happening[];
  readonly states: readonly CauseState[];
}

/** What is told now, and what is remembered. In quiet hours what happens is held, and told after them. */
export function tell(before: readonly CauseState[], { happenings, told }: Finding, isQuietNow: boolean): ToldNow {
  const held = new Map(before.map((state) => [state.cause, state.held]));
  for (const { cause, ...happening } of happenings) held.set(cause, [...(held.get(cause) ?? []), happening]);
  const causes = [...new Set([...held.keys(), ...told.keys()])];
  const telling = isQuietNow ? [] : causes.flatMap((cause) => held.get(cause) ?? []);
  const states = causes.flatMap((cause): CauseState[] => {
    const kept = isQuietNow ? (held.get(cause) ?? []) : [];
    const at = told.get(cause) ?? null;
    return at === null && kept.length === 0 ? [] : [{ cause, told: at, held: kept }];
  });
  return { happenings: telling, states };
}

export const toldIn = (states: readonly CauseState[]): ToldCauses =>
  new Map(states.flatMap(({ cause, told }) => (told === null ? [] : [[cause, told] as const])));
