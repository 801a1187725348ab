import type { FastifyInstance } from 'fastify';
import type { Digest } from '../../digests/digest-kind.ts';
import type { Documents } from '../../documents/documents.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { documentRoutes } from './document-routes.ts';
import { receiversSchema } from './receiver-schemas.ts';

export interface DigestRouteParts {
  readonly documents: { readonly digest: Documents<Digest> };
  readonly long: LongAnswers;
}

const fields = {
  digest: { type: 'string', description: 'The name in addresses: a–z, 0–9 and -, at most 60.' },
  board: { type: ['string', 'null'], description: 'The board that it shows. Null for the overview.' },
  filters: {
    type: 'object',
    additionalProperties: true,
    description: 'Filters as in the body of a question, without days. Teams by name or identifier.',
  },
  every: {
    type: 'string',
    description:
      "A day of the week and a time (monday 08:00), day 08:00, or month 1 08:00, by the organisation's clocks.",
  },
  ...receiversSchema,
};

const example = {
  digest: 'monday-mail',
  board: null,
  filters: { team: ['Checkout'] },
  every: 'monday 08:00',
  to: [{ email: 'ada@acme.example' }, { slack: 'hooks.slack.com/…x4Zq' }],
};

export function digestRoutes(app: FastifyInstance, { documents, long }: DigestRouteParts): void {
  documentRoutes(
    app,
    {
      documents: documents.digest,
      tag: 'Digests',
      title: 'Digest',
      meaning: 'A digest is the overview or a board, sent at its time.',
      fields,
      optional: ['digest', 'board', 'filters', 'webhook_secrets'],
      example,
      rule: 'To an email address it is made as that person, to a channel as its owner. Channels and other people are for Managers and Owners, and get nothing that names people or is about salaries or surveys.',
      wrong:
        "every must be a day of the week and a time such as 'monday 08:00', 'day 08:00', or 'month 1 08:00' with a day from 1 to 28.",
    },
    long,
  );
}
