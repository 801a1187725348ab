import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Alert } from '../../alerts/alert-document.ts';
import type { Alerts } from '../../alerts/alert-evaluation.ts';
import type { Documents } from '../../documents/documents.ts';
import { principalOf } from '../admission/admission.ts';
import { changingTicket, requestTicket } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';
import { documentRoutes } from './document-routes.ts';
import { receiversSchema } from './receiver-schemas.ts';

export interface AlertRouteParts {
  readonly documents: { readonly alert: Documents<Alert> };
  readonly alerts: Pick<Alerts, 'sendExample' | 'deliveries'>;
  readonly long: LongAnswers;
}

const filters = { type: 'object', additionalProperties: true, description: 'Filters as in a question, without days.' };
const hours = (description: string) => ({ type: 'integer', minimum: 1, maximum: 8_760, description });

const one = (kind: string, properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: 'object',
  required: [kind],
  properties: { [kind]: { type: 'object', required, properties } },
});

const rule = {
  oneOf: [
    one(
      'goal_missed',
      {
        goal: { type: 'string', description: 'The goal.' },
        periods: { type: 'integer', description: 'So many whole periods in a row. 2 where it is left out.' },
      },
      ['goal'],
    ),
    one(
      'unusual',
      {
        metric: { type: 'string', description: 'The metric.' },
        aggregation: { type: 'string', description: 'The aggregation, where the metric takes one.' },
        filters,
        period: { type: 'string', enum: ['week', 'month', 'quarter'], description: 'The period.' },
      },
      ['metric', 'period'],
    ),
    one('source_behind', { hours: hours('6 where it is left out.') }, []),
    one(
      'waiting',
      {
        for: { type: 'string', enum: ['review', 'merge', 'deploy'], description: 'What pull requests wait for.' },
        hours: hours('48 where it is left out.'),
        filters,
      },
      ['for'],
    ),
  ],
};

const fields = {
  alert: { type: 'string', description: 'The name in addresses: a–z, 0–9 and -, at most 60.' },
  rule,
  to: receiversSchema.to,
  quiet: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'A time such as 18:00.' },
      until: { type: 'string', description: 'A time such as 08:00.' },
      weekends: { type: 'boolean', description: 'Whether Saturdays and Sundays are quiet.' },
    },
  },
  webhook_secrets: receiversSchema.webhook_secrets,
};

const example = {
  alert: 'slow-reviews',
  rule: { unusual: { metric: 'pickup-time', aggregation: 'MEDIAN', filters: { team: ['Checkout'] }, period: 'week' } },
  to: [{ email: 'ada@acme.example' }, { slack: 'hooks.slack.com/…x4Zq' }],
  quiet: { from: '18:00', until: '08:00', weekends: true },
};

const delivery = Type.Object(
  {
    id: Type.String({ description: 'The same on every try: X-Plumb-Delivery, and part of the Message-ID of a mail.' }),
    receiver: Type.Record(Type.String(), Type.String(), { description: 'Where it went, as it is shown.' }),
    title: Type.String({ description: 'Title of the message.' }),
    state: Type.Union([Type.Literal('queued'), Type.Literal('sent'), Type.Literal('failed')]),
    tries: Type.Integer({ description: 'How often it was tried.' }),
    status: Type.Union([Type.String(), Type.Null()], { description: 'What came back from the last try.' }),
    queued_at: Type.String({ format: 'date-time' }),
    tried_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    done_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { title: 'AlertDelivery' },
);

const deliveryExample: Static<typeof delivery> = {
  id: '6f0d3f9e-3a54-4a6e-9a3c-1f1f5a2c7a10',
  receiver: { email: 'ada@acme.example' },
  title: 'Unusually high: First review wait, median',
  state: 'sent',
  tries: 1,
  status: 'smtp 250',
  queued_at: '2026-11-16T08:00:04.000Z',
  tried_at: '2026-11-16T08:00:05.000Z',
  done_at: '2026-11-16T08:00:05.000Z',
};

interface AlertRoute {
  readonly Params: { readonly slug: string };
}

const params = Type.Object({ slug: Type.String({ description: "The name of the alert: a–z, 0–9 and '-'." }) });
const sent = Type.Object({ sent: Type.Integer({ description: 'How many receivers get it.' }) }, { title: 'AlertTest' });

export function alertRoutes(app: FastifyInstance, { documents, alerts, long }: AlertRouteParts): void {
  documentRoutes(
    app,
    {
      documents: documents.alert,
      tag: 'Alerts',
      title: 'Alert',
      meaning: 'An alert is a rule, and who is told when it fires.',
      fields,
      optional: ['alert', 'quiet', 'webhook_secrets'],
      example,
      rule: 'To an email address it is made as that person, to a channel as its owner. Channels and other people are for Managers and Owners, and get nothing that names people or is about salaries or surveys.',
      wrong:
        'rule must have exactly one of goal_missed, unusual, source_behind, waiting, such as {"source_behind": {"hours": 6}}.',
    },
    long,
  );

  app.post<AlertRoute>(
    '/alerts/:slug/test',
    {
      schema: {
        operationId: 'testAlert',
        summary: 'Send an example of an alert',
        description:
          'Sends an example to everyone whom the alert tells. Only its owner and Owners of the organisation may.',
        tags: ['Alerts'],
        security: keyNeeded,
        params,
        querystring: noQuery,
        response: {
          202: answered('The examples are on their way.', sent, { sent: { sent: 2 } }),
          ...refused([400, 401, 403, 404, 405, 429, 500, 503], {
            400: "'limit' is not a query parameter of this operation.",
            403: "Only the owner of the alert 'slow-reviews' and Owners of the organisation may do this.",
            404: "There is no alert 'slow-review' that you may see.",
          }),
        },
      },
    },
    async (request, reply): Promise<Static<typeof sent>> => {
      const caller = { principal: principalOf(request), ticket: changingTicket(request) };
      reply.code(202);
      return { sent: await alerts.sendExample(caller, request.params.slug) };
    },
  );

  app.get<AlertRoute>(
    '/alerts/:slug/deliveries',
    {
      schema: {
        operationId: 'listAlertDeliveries',
        summary: 'What was sent for an alert',
        description:
          'The newest 100 messages of an alert, what became of them and what came back. Only its owner and Owners of the organisation may ask.',
        tags: ['Alerts'],
        security: keyNeeded,
        params,
        querystring: noQuery,
        response: {
          200: answered('The messages, newest first.', Type.Array(delivery), { deliveries: [deliveryExample] }),
          ...refused([400, 401, 403, 404, 405, 429, 500, 503], {
            400: "'limit' is not a query parameter of this operation.",
            403: "Only the owner of the alert 'slow-reviews' and Owners of the organisation may do this.",
            404: "There is no alert 'slow-review' that you may see.",
          }),
        },
      },
    },
    async (request, reply): Promise<Static<typeof delivery>[]> => {
      const caller = { principal: principalOf(request), ticket: requestTicket(request, reply) };
      return alerts.deliveries(caller, request.params.slug);
    },
  );
}
