export const connectionFormWords = {
  savedNextSyncReads: (labels: string) => `Saved: ${labels}. The next sync reads with it.`,
  advanced: 'Advanced',
  save: 'Save',
  found: 'Detected',
  listOnePerLine: (meaning: string | undefined, meaning2: string, type: string) =>
    `${meaning}${meaning2}${type === 'list' ? ', one per line' : ''}.`,
  operatorServerKeeps: (says: string, byOperator: true | undefined) =>
    `${says} ${byOperator ? 'Kept by the server’s operator.' : 'Saved. Leave empty to keep it.'}`,
} as const;

export const webhookShownOnceWords = {
  connected: (name: string) => `${name} is connected.`,
  firstSyncStarts: 'The first sync starts on its own.',
  missingRights: (missing: string) => `Missing rights: ${missing}.`,
  forChangesWithinSeconds:
    'For updates within seconds, add a webhook there with this address and secret, content type application/json. The secret is shown only once.',
  addressWebhook: 'Address of the webhook',
  copyAddress: 'Copy the address',
  secretWebhook: 'Secret of the webhook',
  copySecret: 'Copy the secret',
  done: 'Done',
} as const;
