import { minuteOf } from '../calendar.ts';
import { booleanIn, fieldsIn, given } from '../documents/document-fields.ts';
import type { DocumentKind, WritingContext } from '../documents/document-kind.ts';
import { slugIn } from '../documents/slug.ts';
import { filtersByTeamName } from '../documents/teams-of-reader.ts';
import { mayRead, readersOf } from '../documents/visible-to.ts';
import type { GoalDocument } from '../goals/goal-kind.ts';
import { refuse } from '../query/reading/body.ts';
import { findDocument } from '../store/document-rows.ts';
import type { Alert, AlertRule } from './alert-document.ts';
import { type ReceiverParts, readReceiverList, shownReceivers } from './kept-receivers.ts';
import type { QuietHours } from './quiet-hours.ts';
import { readRule, shownRule, whyNotForOthers, whyNotShown } from './rule-fields.ts';

const alertFields = ['alert', 'rule', 'to', 'quiet'];

/** Alerts: a rule, whom it tells, and when nobody is told. Only their owner and the Owners see them. */
export const alertKind = (parts: ReceiverParts): DocumentKind<Alert> => ({
  kind: 'alert',
  plural: 'alerts',
  isSent: true,
  maxCount: 100,
  read: async (written, context) => {
    const fields = fieldsIn(written, alertFields, 'The alert');
    slugIn(fields, 'alert', context.slug);
    const rule = readRule(fields.rule, context);
    const goal = rule.kind === 'goal_missed' ? await goalOf(rule.goal, context) : undefined;
    const quiet = readQuiet(fields.quiet);
    const { to, secrets, madeSecrets, hasOthers } = await readReceiverList(parts, 'alert', fields.to, context);
    const why = whyNotForOthers(rule) ?? (goal && whyNotShown(goal));
    if (hasOthers && why !== undefined) {
      throw refuse(`This can only go to an address of its owner: ${why}. Channels and others get nothing of it.`);
    }
    const once = madeSecrets.length === 0 ? {} : { once: { webhook_secrets: madeSecrets } };
    return { document: given({ rule, to, quiet }), secrets, ...once };
  },
  shown: ({ slug, document: { rule, to, quiet } }, { teams }) =>
    given({
      alert: slug,
      rule: shownRule(rule, (filters) => filtersByTeamName(filters, teams)),
      to: shownReceivers(to),
      quiet: quiet && shownQuiet(quiet),
    }),
  visibleTo: () => 'me',
  refuseMaker: () => {},
});

/** The goal of a rule, which the writer of the rule has to see. */
async function goalOf(slug: string, { session, principal, teams }: WritingContext<Alert>): Promise<GoalDocument> {
  const row = await findDocument(session, principal.organisationId, 'goal', slug);
  const goal = row && (JSON.parse(row.body) as GoalDocument);
  const isSeen = goal && (row.owner === principal.personId || mayRead(principal, teams, readersOf(goal.visible_to)));
  if (!isSeen) throw refuse(`rule.goal_missed: there is no goal '${slug}' that you may see.`);
  return goal;
}

function readQuiet(written: unknown): QuietHours | undefined {
  if (written === undefined || written === null) return undefined;
  const fields = fieldsIn(written, ['from', 'until', 'weekends'], 'quiet');
  const weekends = booleanIn(fields, 'weekends') ?? false;
  const [from, until] = [timeIn(fields.from, 'from'), timeIn(fields.until, 'until')];
  if ((from === undefined) !== (until === undefined)) throw refuse('quiet: from and until go together.');
  if (from !== undefined && from === until) throw refuse('quiet: from and until must be two times.');
  if (from === undefined && !weekends) throw refuse('quiet must have from and until, or weekends: true.');
  return given({ from, until, weekends });
}

function timeIn(written: unknown, name: string): number | undefined {
  if (written === undefined || written === null) return undefined;
  const minute = typeof written === 'string' ? minuteOf(written) : undefined;
  if (minute === undefined) throw refuse(`quiet.${name} must be a time such as 18:00.`);
  return minute;
}

const shownQuiet = ({ from, until, weekends }: QuietHours): object =>
  given({
    from: from === undefined ? undefined : timeText(from),
    until: until === undefined ? undefined : timeText(until),
    weekends,
  });

const timeText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The kinds of rules by what they are about. */
export type RuleOf<K extends AlertRule['kind']> = Extract<AlertRule, { kind: K }>;
