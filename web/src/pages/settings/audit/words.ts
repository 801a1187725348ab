import { sentenceCase } from '../../../../../src/catalogue/labels/shown-names.ts';
import type { AuditAction } from '../../../../../src/store/audit-actions.ts';
import { capitalised, shownDay, shownTime } from '../../../view/format.ts';
import type { AuditLine } from './questions.ts';

export const auditWords = {
  auditLog: 'Audit log',
  auditLogOwnersOnly: 'The audit log is',
  lastChange: (actionInWords: string, actorInWords: string, time: string) =>
    `Last change: ${actionInWords}, ${actorInWords}, ${time}.`,
  whoChangedWhat: 'Who changed what',
  timesNothingHereCan: (zone: string) => `Times of ${zone}. Nothing here can be changed or removed.`,
  auditLogWhat: 'The audit log',
  auditLogNewestFirst: 'Audit log, newest first',
  when: 'When',
  who: 'Who',
  what: 'What',
  whatName: 'Of what',
  details: 'Details',
  newer: 'Newer',
  older: 'Older',
  thisWhereLogBegins: 'This is where the log begins.',
} as const;

const ways: Readonly<Record<string, string>> = {
  api: 'with a key',
  session: 'on a page',
  'sign-in': 'signing in',
  command: 'on the command line',
  demo: 'the demo',
  records: 'records that arrived',
  source: 'a connection',
};

/** Who acted, and by which way: `Ada Lovelace, on a page`. */
export function actorInWords({ actor, via }: Pick<AuditLine, 'actor' | 'via'>): string {
  const way = ways[via] ?? via;
  return actor ? `${actor.name} (${way})` : way;
}

const actions: Readonly<Record<AuditAction, string>> = {
  'alert.create': 'Added an alert',
  'alert.remove': 'Removed an alert',
  'alert.update': 'Changed an alert',
  'annotation.create': 'Added an annotation',
  'annotation.remove': 'Removed an annotation',
  'annotation.update': 'Changed an annotation',
  'backup.create': 'Made a backup',
  'backup.download': 'Downloaded a backup',
  'backup.restore': 'Restored a backup',
  'board.create': 'Added a board',
  'board.pin': 'Changed pinned boards',
  'board.remove': 'Removed a board',
  'board.update': 'Changed a board',
  'digest.create': 'Added a digest',
  'digest.remove': 'Removed a digest',
  'digest.update': 'Changed a digest',
  'goal.create': 'Added a goal',
  'goal.remove': 'Removed a goal',
  'goal.update': 'Changed a goal',
  'key.create': 'Made an API key',
  'key.revoke': 'Revoked an API key',
  'key.rotate': 'Rotated an API key',
  'openid.bind': 'Linked a sign-in provider',
  'organisation.create': 'Made the organisation',
  'organisation.migrate': 'Moved the organisation',
  'organisation.set': 'Changed settings',
  'password.set': 'Set a password',
  'person.called-bot': 'Took a person for a bot',
  'person.called-person': 'Took a bot for a person',
  'person.create': 'Added a person',
  'person.merge': 'Merged people',
  'person.offboard': 'Excluded people from metrics',
  'person.onboard': 'Included people in metrics',
  'person.remove': 'Removed a person',
  'person.unmerge': 'Undid a merge',
  'person.update': 'Changed a person',
  'records.export': 'Exported records',
  'records.import': 'Imported records',
  'repository.create': 'Added a repository',
  'repository.remove': 'Removed a repository',
  'repository.update': 'Changed a repository',
  'salary.read': 'Read salaries',
  'secret.rotate': 'Rotated the secret',
  'session.begin': 'Signed in',
  'session.end': 'Signed out',
  'sign-in.create': 'Made a sign-in link',
  'sign-in.fail': 'Failed to sign in',
  'source.add': 'Added a connection',
  'source.people': 'Matched people of a connection',
  'source.teams': 'Matched teams of a connection',
  'source.remove': 'Removed a connection',
  'source.set': 'Changed a connection',
  'source.sync': 'Synced a connection',
  'source.unlink': 'Unmatched people of a connection',
  'squad.create': 'Added a squad',
  'squad.remove': 'Removed a squad',
  'squad.update': 'Changed a squad',
  'survey.read': 'Read answers to a survey',
  'team.create': 'Added a team',
  'team.remove': 'Removed a team',
  'team.update': 'Changed a team',
};

/** `key.revoke` in plain words: Revoked an API key. An unknown action keeps its words. */
export const actionInWords = (action: string): string =>
  (actions as Readonly<Record<string, string>>)[action] ?? sentenceCase(action.replaceAll('.', ' '));

const longest = 160;

/** What only programs can use: it names nothing that a reader knows. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** The name of what was changed, or its identifier where that says something. */
export const subjectInWords = ({ id, name }: AuditLine['subject']): string => name ?? (isIdentifier(id) ? '–' : id);

/** The details in one line: `Name: CI, expires at: 1 Jan 2027, 00:00`. Long ones are cut, and identifiers left out. */
export function detailsInWords(details: unknown, zone: string): string {
  if (details === null || details === undefined) return '';
  const text =
    typeof details === 'object' && !Array.isArray(details) ? namedValues(details, zone) : said(details, zone);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function namedValues(details: object, zone: string): string {
  const parts = Object.entries(details).flatMap(([name, value]) => {
    const words = value === null || isIdentifier(value) ? '' : said(value, zone);
    return words === '' ? [] : `${sentenceCase(name).toLowerCase()}: ${words}`;
  });
  return capitalised(parts.join(', '));
}

function said(value: unknown, zone: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => said(one, zone)).join(' and ');
  if (typeof value === 'object' && value !== null) return namedValues(value, zone);
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return shownTime(text, zone);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? shownDay(text, '') : text;
}
