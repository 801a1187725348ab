import { named } from '../reference/named-schemas.ts';

const one = (medium: string, description: string) => ({
  type: 'object',
  required: [medium],
  properties: { [medium]: { type: 'string', description } },
});

/** Where messages go, in alerts and digests. */
export const receiversSchema = {
  to: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: {
      oneOf: [
        one('slack', 'Address of an incoming webhook.'),
        one('teams', 'Address of a workflow webhook.'),
        one('email', 'Email address of a person in the organisation.'),
        one('webhook', 'Address that takes JSON.'),
      ],
    },
    description:
      'Each has one of slack, teams, email and webhook. Addresses of channels are shown as host and last four characters, and may be written so again.',
  },
  webhook_secrets: {
    type: 'array',
    readOnly: true,
    items: named('WebhookSecret', {
      webhook: { type: 'string', description: 'The webhook, as it is shown.' },
      secret: { type: 'string', description: 'Signs X-Plumb-Signature-256.' },
    }),
    description: 'Only in the answer to PUT, once for each webhook that is new.',
  },
};
