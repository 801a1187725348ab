import fc from 'fast-check';
import type { AlertRule } from '../../src/alerts/alert-document.ts';
import type { RuleFacts } from '../../src/alerts/find-happenings.ts';
import type { QuietHours } from '../../src/alerts/quiet-hours.ts';
import type { MessagePerson, StoredReceiver } from '../../src/alerts/recipients.ts';
import { secondsOfDay } from '../../src/calendar.ts';

const hour = 3_600;
const week = 7 * 24 * hour;
export const people = ['ada', 'bob', 'cem'] as const;
type PersonId = (typeof people)[number];

/** One week of a metric or a goal: when it is known, what is said of it then, and what late data make of it. */
interface Week {
  readonly known: number;
  readonly value: number;
  readonly n: number;
  readonly state: string;
  readonly revisedAt: number;
  readonly revised: number;
  readonly revisedState: string;
}

/** What people are and see from a moment on. */
interface Standing {
  readonly role: MessagePerson['role'] | 'gone';
  readonly isShown: boolean;
}

export interface RandomHistory {
  readonly zone: string;
  readonly quiet: QuietHours | undefined;
  readonly rule: AlertRule;
  readonly to: readonly StoredReceiver[];
  /** Moments at which the alert is evaluated. */
  readonly moments: readonly number[];
  readonly standings: readonly Readonly<Record<PersonId, Standing>>[];
  readonly weeks: readonly Week[];
  readonly firstWeek: number;
  /** Of one source: whether it is there, and how many hours ago its last read was complete, moment by moment. */
  readonly source: readonly { readonly isThere: boolean; readonly hoursAgo: number }[];
  /** How many pull requests wait, moment by moment. */
  readonly waiting: readonly number[];
}

const states = ['met', 'missed', 'missed', 'missed', 'too_few', 'no_data'];
const email = (id: PersonId): StoredReceiver => ({ key: `email:${id}`, medium: 'email', shown: `${id}@acme.example` });
const slack: StoredReceiver = { key: 'slack:1', medium: 'slack', shown: 'hooks.slack.example/…abcd' };

const minutes = fc.integer({ min: 0, max: 47 }).map((half) => half * 30);
const quiet: fc.Arbitrary<QuietHours | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant({ weekends: true }),
  fc.record({ from: minutes, until: minutes, weekends: fc.boolean() }).filter(({ from, until }) => from !== until),
);
const rule: fc.Arbitrary<AlertRule> = fc.oneof(
  fc.integer({ min: 1, max: 3 }).map((periods) => ({ kind: 'goal_missed', goal: 'g', periods }) as const),
  fc
    .constantFrom('deployments-count', 'cycle-time')
    .map((metric) => ({ kind: 'unusual', metric, aggregation: null, filters: {}, period: 'week' }) as const),
  fc.integer({ min: 1, max: 12 }).map((hours) => ({ kind: 'source_behind', hours }) as const),
  fc.constant({ kind: 'waiting', for: 'review', hours: 48, filters: {} } as const),
);
const standing: fc.Arbitrary<Standing> = fc.record({
  role: fc.constantFrom('Owner', 'Manager', 'Manager', 'Engineer', 'gone'),
  isShown: fc.constantFrom(true, true, true, false),
});

const maxMoments = 45;
const weeksBefore = 34;

export const histories: fc.Arbitrary<RandomHistory> = fc
  .record({
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
    begins: fc.constantFrom('2026-03-02', '2026-06-01', '2026-10-05'),
    quiet,
    rule,
    to: fc.uniqueArray(fc.constantFrom(slack, ...people.map(email)), { minLength: 1, selector: ({ key }) => key }),
    gaps: fc.array(fc.constantFrom(1, 1, 3, 9, 24, 60), { minLength: 15, maxLength: maxMoments }),
    changes: fc.array(
      fc.record({ at: fc.integer({ min: 0, max: maxMoments }), who: fc.constantFrom(...people), standing }),
      { maxLength: 6 },
    ),
    weeks: fc.array(
      fc.record({
        lag: fc.constantFrom(0, 8, 60),
        value: fc.integer({ min: 16, max: 24 }),
        /** What the weeks from here on are like, until another one says so. */
        shock: fc.constantFrom(0, 0, 0, 0, 0, 60, -14),
        n: fc.constantFrom(30, 30, 30, 30, 4),
        state: fc.constantFrom(...states),
        revisedAfter: fc.constantFrom(1e9, 1e9, 30, 200),
        revised: fc.constantFrom(20, 90),
        revisedState: fc.constantFrom(...states),
      }),
      { minLength: weeksBefore + 20, maxLength: weeksBefore + 20 },
    ),
    source: fc.array(
      fc.record({ isThere: fc.constantFrom(true, true, true, false), hoursAgo: fc.integer({ min: 0, max: 24 }) }),
      {
        minLength: maxMoments,
        maxLength: maxMoments,
      },
    ),
    waiting: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: maxMoments, maxLength: maxMoments }),
  })
  .map(({ begins, gaps, changes, weeks, ...history }) => {
    const start = secondsOfDay(begins);
    let at = start;
    const moments = gaps.map((gap) => (at += gap * hour));
    let now: Record<PersonId, Standing> = {
      ada: { role: 'Owner', isShown: true },
      bob: { role: 'Engineer', isShown: true },
      cem: { role: 'Manager', isShown: true },
    };
    const standings = moments.map((_, i) => {
      for (const { at: when, who, standing: then } of changes) if (when === i) now = { ...now, [who]: then };
      return now;
    });
    const firstWeek = start - weeksBefore * week;
    const known = weeks.map(({ lag, revisedAfter, shock, ...one }, i) => {
      const end = firstWeek + (i + 1) * week;
      const before = weeks[i - 1]?.shock ?? 0;
      const moved = i < weeksBefore - 3 ? 0 : before || shock;
      return { ...one, value: one.value + moved, known: end + lag * hour, revisedAt: end + revisedAfter * hour };
    });
    return { ...history, moments, standings, weeks: known, firstWeek };
  });

type WeekSeen = ReturnType<typeof lookAtWeeks>[number];
const seenBefore = new WeakMap<RandomHistory, Map<number, readonly WeekSeen[]>>();

/** The weeks that are over at a moment, as they are seen then. */
export function weeksSeen(history: RandomHistory, i: number): readonly WeekSeen[] {
  const known = seenBefore.get(history) ?? new Map<number, readonly WeekSeen[]>();
  seenBefore.set(history, known);
  const weeks = known.get(i) ?? lookAtWeeks(history, i);
  known.set(i, weeks);
  return weeks;
}

function lookAtWeeks({ weeks, firstWeek, moments }: RandomHistory, i: number) {
  const now = moments[i] ?? 0;
  return weeks.flatMap((one, at) => {
    const begins = firstWeek + at * week;
    if (begins + week > now) return [];
    const isRevised = one.revisedAt <= now;
    return [
      {
        firstDay: new Date(begins * 1_000).toISOString().slice(0, 10),
        isWhole: one.known <= now,
        value: isRevised ? one.revised : one.value,
        n: one.n,
        state: one.known > now ? 'incomplete' : isRevised ? one.revisedState : one.state,
      },
    ];
  });
}

/** The facts of the rule at a moment, as the queries would find them. */
export function factsAt(history: RandomHistory, i: number): RuleFacts {
  const seen = weeksSeen(history, i);
  const now = history.moments[i] ?? 0;
  switch (history.rule.kind) {
    case 'goal_missed':
      return { kind: 'goal_missed', history: seen };
    case 'unusual': {
      const whole = seen.slice(0, seen.findLastIndex(({ isWhole }) => isWhole) + 1);
      return { kind: 'unusual', history: whole, form: history.rule.metric === 'cycle-time' ? 'measured' : 'count' };
    }
    case 'source_behind': {
      const { isThere = false, hoursAgo = 0 } = history.source[i] ?? {};
      return {
        kind: 'source_behind',
        sources: isThere ? [{ id: 's', name: 'Code', lastRead: now - hoursAgo * hour }] : [],
      };
    }
    case 'waiting':
      return { kind: 'waiting', count: history.waiting[i] ?? 0 };
  }
}
