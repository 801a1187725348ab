import type { Connection } from '../../../ask/sources.ts';
import { counted, grouped } from '../../../view/format.ts';

export const connectionsWords = {
  connections: 'Connections',
  connectionsOwnersOnly: 'Connections are',
  connect: (label: string) => `Connect ${label}`,
  nothingSavedOrRead: 'Nothing is saved or read until the check passes and you start.',
  cancel: 'Cancel',
  listConnections: 'The list of connections',
  nothingConnectedYet: 'Nothing connected yet',
  onceSomethingConnected:
    'Once something is connected, this page shows how far it has been read and what needs fixing.',
  whatCanBeConnected: 'What can be connected',
} as const;

export const addConnectionWords = {
  addConnection: 'Add a connection',
  readOnlyEnoughNothing: 'Read-only is enough. Nothing is saved until a check has passed.',
  connectByCommand: 'Connect by command',
  commandThatConnects: (label: string) => `Command that connects ${label}`,
  copy: 'Copy',
  sourceAddOrgName: (command: string, kind: string, id: string, settings: string) =>
    `${command} source add ${kind} --org ${id} --name NAME ${settings}`,
  connect: (label: string) => `Connect ${label}`,
} as const;

export const connectionCardWords = {
  lastSuccess: (time: string) => `last success ${time}`,
  noSuccessYet: 'no success yet',
  lastTried: (time: string) => ` · last tried ${time}`,
  canBeRead: (name: string) => `${name} can be read.`,
  cannotBeReadSee: (name: string) => `${name} can’t be read. See below what to do.`,
  check: 'Check',
  syncBeginsWithinMoments: (name: string) => `A sync of ${name} begins within moments.`,
  syncNow: 'Sync now',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removeConnection: (name: string) => `Remove the connection “${name}”?`,
  removeConnectionVerb: 'Remove the connection',
  removedRows: (name: string) => `${name} is removed. Its records stay.`,
  nothingNewWill: 'Its records stay, new ones stop. Its webhooks are refused and its token is deleted.',
  whatItCouldNot: 'What it could not see',
  whatCouldNotSee: (name: string) => `What ${name} could not see`,
  webhookAddress: 'Webhook address',
  eventsSentHereSigned:
    'Events sent here, signed with the secret of this connection, are read within seconds. Without them it is read every hour.',
  webhookAddressName: (name: string) => `Webhook address of ${name}`,
  copy: 'Copy',
  settings: 'Settings',
  noLongerFound: (listed: string, more: number) =>
    `No longer found: ${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}.`,
  deletedArchivedTransferredLeft:
    'Deleted, archived, transferred, left out by the settings, or hidden from the token. Their records stay, new ones stop. If that wasn’t intended, give the token access again or change the settings, then sync.',
} as const;

export const streamTableWords = {
  streams: (name: string) => `Streams of ${name}`,
  where: 'Where',
  wholeConnection: 'the whole connection',
  what: 'What',
  read: 'Read',
  of: (read: number, estimated: number) => `${grouped(read)} of ${grouped(estimated)}`,
  complete: 'Complete at',
  notYet: 'not yet',
  newestRecord: 'Newest record',
} as const;

const states: Readonly<Record<Connection['state'], string>> = {
  waiting: 'Not read yet',
  syncing: 'Syncing',
  complete: 'Up to date',
  partial: 'Read in part',
  failed: 'Couldn’t be read',
};

export const stateInWords = (state: Connection['state']): string => states[state];

/** The page's sentence: how many connections there are, and whether one of them fails. */
export function connectionsSentence(connections: readonly Connection[]): string {
  if (connections.length === 0) return 'Nothing is connected yet.';
  const all = counted(connections.length, 'connection', 'connections');
  const failing = connections.filter(({ state }) => state === 'failed');
  const partial = connections.filter(({ state }) => state === 'partial');
  const syncing = connections.filter(({ state }) => state === 'syncing');
  const parts = [
    ...(failing.length > 0 ? [`${names(failing)} couldn’t be read`] : []),
    ...(partial.length > 0 ? [`${names(partial)} only in part`] : []),
    ...(syncing.length > 0 ? [`${names(syncing)} ${syncing.length === 1 ? 'is' : 'are'} syncing`] : []),
  ];
  return parts.length === 0 ? `${all}, all fine.` : `${all}: ${parts.join(', ')}.`;
}

const names = (connections: readonly Connection[]): string => connections.map(({ name }) => name).join(', ');
