/** Heads of the tables that commands print, from left to right. */
export const tableHeads = {
  accounts: ['Login', 'Organisation', 'Person', 'In metrics', 'Notes'],
  audit: ['When', 'Who', 'What', 'Of what', 'Details'],
  deliveries: ['When', 'Where', 'What', 'Outcome', 'Came back', 'Tries'],
  demo: ['ID', 'People', 'Teams', 'Owner', 'Name'],
  duplicates: ['Name', 'Person', 'May be', 'Why'],
  goalPeriods: ['From', 'To', 'Value', 'n', 'State'],
  keys: ['ID', 'Key', 'Status', 'Last used', 'Works until', 'Owner', 'Name'],
  organisations: ['ID', 'Time zone', 'Name'],
  people: ['Name', 'Email address', 'Role', 'In metrics', 'Teams'],
  sourceStates: ['Source', 'Kind', 'Last sync', 'Outcome', 'Problem'],
  sources: ['ID', 'Kind', 'Name', 'Last sync', 'Outcome', 'Settings'],
  statuses: ['Name', 'People', 'In metrics', 'Rows', 'Data through', 'Sources'],
  tables: ['Table', 'Rows', 'Newest record', 'Data through'],
  unknownAccounts: ['Rows', 'Source', 'Login', 'Email address', 'Name', ''],
} as const;

export const never = 'Never';

/** The end of a key without a last day. */
export const untilRevoked = 'Until revoked';

export const yesOrNo = (isSo: boolean): string => (isSo ? 'Yes' : 'No');

/** `2026-11-19 22:10 UTC`: commands have no time zone of their own. */
export const minuteText = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

const outcomes: Readonly<Record<string, string>> = {
  complete: 'Up to date',
  partial: 'Read in part',
  failed: 'Couldn’t be read',
};

/** How the last sync of a source ended. */
export const outcomeInWords = (outcome: string): string => outcomes[outcome] ?? outcome;

const keyStatuses: Readonly<Record<string, string>> = {
  active: 'Works',
  expired: 'Expired',
  revoked: 'Revoked',
  'creator removed': 'Owner removed',
};

export const keyStatusInWords = (status: string): string => keyStatuses[status] ?? status;

const readers: Readonly<Record<string, string>> = { organisation: 'Everyone', me: 'Only the owner' };

/** Who sees a document, where that is not a team. */
export const readersInWords = (visibleTo: string): string => readers[visibleTo] ?? visibleTo;

const rules: Readonly<Record<string, string>> = {
  goal_missed: 'Goal missed',
  unusual: 'Unusual',
  source_behind: 'Source behind',
  waiting: 'Waiting',
};

/** What an alert looks for. */
export const ruleInWords = (rule: string): string => rules[rule] ?? rule;

const deliveryStates: Readonly<Record<string, string>> = { queued: 'Waiting', sent: 'Sent', failed: 'Failed' };

/** What became of a message. */
export const deliveryInWords = (state: string): string => deliveryStates[state] ?? state;
