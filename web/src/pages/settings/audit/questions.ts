export interface AuditLine {
  readonly at: string;
  readonly via: string;
  readonly actor: { readonly id: string | null; readonly name: string } | null;
  readonly key_id: string | null;
  readonly action: string;
  readonly subject: { readonly id: string; readonly name: string | null };
  readonly details: unknown;
}

export interface AuditPage {
  readonly entries: readonly AuditLine[];
  /** The parameter for older entries; null at the beginning of the log. */
  readonly before: string | null;
}

export const auditPath = (before: string | undefined): string =>
  before === undefined ? '/app/audit?limit=50' : `/app/audit?${new URLSearchParams({ limit: '50', before })}`;

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

const verbs: Readonly<Record<string, string>> = {
  create: 'made',
  add: 'added',
  set: 'changed settings of',
  update: 'changed',
  remove: 'removed',
  revoke: 'revoked',
  rotate: 'rotated',
  merge: 'merged',
  unmerge: 'unmerged',
  onboard: 'onboarded',
  offboard: 'offboarded',
  begin: 'began',
  end: 'ended',
  read: 'read',
  sync: 'synced',
  import: 'imported',
  export: 'exported',
  restore: 'restored',
  make: 'made',
  people: 'linked people of',
  unlink: 'unlinked people of',
  download: 'downloaded',
};
const nouns: Readonly<Record<string, string>> = {
  source: 'a connection',
  key: 'a key',
  person: 'a person',
  team: 'a team',
  squad: 'a squad',
  organisation: 'the organisation',
  session: 'a session',
  'sign-in': 'a sign-in link',
  repository: 'a repository',
  backup: 'a backup',
  records: 'records',
  secret: 'the secret',
  password: 'a password',
  salary: 'salaries',
  survey: 'answers to a survey',
};

/** `key.revoke` in plain words: revoked a key. An unknown action keeps its name. */
export function actionInWords(action: string): string {
  const dot = action.lastIndexOf('.');
  const [noun, verb] = [nouns[action.slice(0, dot)], verbs[action.slice(dot + 1)]];
  return noun && verb ? `${verb} ${noun}` : action;
}

const longest = 160;

/** The details in one line: `name: CI, expires at: 2027-01-01`. Long ones are cut. */
export function detailsInWords(details: unknown): string {
  if (details === null || typeof details !== 'object')
    return details === null || details === undefined ? '' : String(details);
  const text = Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
