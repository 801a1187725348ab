import { sentenceCase } from './catalogue/labels/shown-names.ts';
import type { AuditAction } from './store/audit-actions.ts';

const ways: Readonly<Record<string, string>> = {
  api: 'with a key',
  session: 'on a page',
  'sign-in': 'signing in',
  command: 'on the command line',
  demo: 'the demo',
  mail: 'the link of an email',
  records: 'records that arrived',
  source: 'a connection',
};

/** Who acted, and by which way: `Ada Lovelace (on a page)`. */
export function actorInWords(actor: string | null | undefined, via: string): string {
  const way = ways[via] ?? via;
  return actor ? `${actor} (${way})` : way;
}

const actions: Readonly<Record<AuditAction, string>> = {
  'alert.create': 'Added an alert',
  'alert.remove': 'Removed an alert',
  'alert.update': 'Changed an alert',
  'annotation.create': 'Added an annotation',
  'annotation.remove': 'Removed an annotation',
  'annotation.update': 'Changed an annotation',
  'backup.create': 'Created a backup',
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
  'key.create': 'Created an API key',
  'key.revoke': 'Revoked an API key',
  'key.rotate': 'Rotated an API key',
  'message.resume': 'Started messages again',
  'message.stop': 'Stopped messages',
  'openid.bind': 'Linked a sign-in provider',
  'organisation.create': 'Created the organisation',
  'organisation.migrate': 'Moved the organisation',
  'organisation.set': 'Changed settings',
  'password.set': 'Set a password',
  'person.called-bot': 'Marked a person as a bot',
  'person.called-person': 'Marked a bot as a person',
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
  'sign-in.create': 'Created a sign-in link',
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

const maxLength = 160;

/** What only programs can use: it names nothing that a reader knows. */
const isIdentifier = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** The name of what was changed, or its identifier where that says something. */
export const subjectInWords = (id: string, name?: string | null): string => name ?? (isIdentifier(id) ? '–' : id);

/** How moments are written: on pages in the time zone of the organisation, on the command line in UTC. */
export interface ShownMoments {
  readonly time: (moment: string) => string;
  readonly day: (day: string) => string;
}

/** The details in one line: `Name: CI, expires at: 1 Jan 2027, 00:00`. Long ones are cut, and identifiers left out. */
export function detailsInWords(details: unknown, shown: ShownMoments): string {
  if (details === null || details === undefined) return '';
  const text =
    typeof details === 'object' && !Array.isArray(details) ? namedValues(details, shown) : said(details, shown);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function namedValues(details: object, shown: ShownMoments): string {
  const parts = Object.entries(details).flatMap(([name, value]) => {
    const words = value === null || isIdentifier(value) ? '' : said(value, shown);
    return words === '' ? [] : `${sentenceCase(name).toLowerCase()}: ${words}`;
  });
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function said(value: unknown, shown: ShownMoments): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  if (Array.isArray(value)) return value.map((one) => said(one, shown)).join(' and ');
  if (typeof value === 'object' && value !== null) return namedValues(value, shown);
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return shown.time(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? shown.day(text) : text;
}
