import { counted } from './format.ts';

export const nothingConnectedWords = {
  nothingConnectedYet: 'Nothing connected yet',
  connectGithub: 'Connect GitHub',
  importFile: 'Import a file',
  ownerCanConnectSource: 'An Owner can connect a source:',
  toLookAroundFirst: 'To look around first, run',
  wherePlumbRuns: 'where Plumb runs: it adds an organisation with made-up data and leaves this one as it is.',
} as const;

export const nothingYetWords = {
  nothingHasArrivedYet: 'Nothing has arrived yet',
  showConnections: 'Show connections',
  connected: (connections: number) => `${counted(connections, 'source is', 'sources are')} connected.`,
  lastSyncFailedConnection: (failed: string) => `The last sync of ${failed} failed. The connection says why.`,
  firstSyncHasNot: 'The first sync hasn’t brought any records.',
} as const;
