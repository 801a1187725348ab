export const connectionFormWords = {
  savedNextSyncReads: (labels: string) => `Saved: ${labels}. The next sync reads with it.`,
  advanced: 'Advanced',
  save: 'Save',
  found: 'Found out',
  listOnePerLine: (meaning: string | undefined, meaning2: string, type: string) =>
    `${meaning}${meaning2}${type === 'list' ? ', one per line' : ''}.`,
  operatorServerKeeps: (says: string, byOperator: true | undefined) =>
    `${says} ${byOperator ? 'The operator of the server keeps it.' : 'Saved. Leave empty to keep it.'}`,
} as const;

export const webhookShownOnceWords = {
  connected: (name: string) => `${name} is connected.`,
  firstSyncStarts: 'The first sync starts on its own.',
  missingRights: (missing: string) => `Missing rights: ${missing}.`,
  forChangesWithinSeconds:
    'For changes within seconds, add a webhook there with this address and this secret, content type application/json. The secret is shown only once.',
  addressWebhook: 'Address of the webhook',
  copyAddress: 'Copy the address',
  secretWebhook: 'Secret of the webhook',
  copySecret: 'Copy the secret',
  done: 'Done',
} as const;
