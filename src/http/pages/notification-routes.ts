import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ReceivedNotifications } from '../../digests/received-notifications.ts';
import type { MessageOrigin } from '../../messages/message-content.ts';
import { principalOf } from '../admission/admission.ts';
import { changingTicket, requestTicket } from '../admission/request-ticket.ts';
import { noQuery } from '../openapi.ts';

export interface NotificationRouteParts {
  readonly notifications: Pick<ReceivedNotifications, 'list' | 'setStopped' | 'deliveries' | 'missingSettings'>;
}

interface OwnStopRequest {
  Params: { readonly kind: MessageOrigin['kind']; readonly slug: string };
}

const schema = { hide: true, querystring: noQuery };
const stopSchema = {
  ...schema,
  params: Type.Object({ kind: Type.Union([Type.Literal('alert'), Type.Literal('digest')]), slug: Type.String() }),
};

/** What somebody is sent by mail, what became of it, and how they stop it and begin again. */
export function notificationRoutes(app: FastifyInstance, { notifications }: NotificationRouteParts): void {
  app.get('/app/notifications', { schema }, async (request, reply) => {
    const caller = { principal: principalOf(request), ticket: requestTicket(request, reply) };
    return {
      missing_settings: notifications.missingSettings(),
      received: (await notifications.list(caller)).map(({ origin, owner, addresses, isStopped }) => ({
        ...origin,
        owner: owner && { id: owner.id, name: owner.name },
        addresses,
        is_stopped: isStopped,
      })),
      deliveries: (await notifications.deliveries(caller)).map((one) => ({
        id: one.id,
        ...one.origin,
        receiver: one.receiver,
        title: one.title,
        state: one.state,
        tries: one.tries,
        status: one.status,
        queued_at: one.queuedAt.toISOString(),
        tried_at: one.triedAt?.toISOString() ?? null,
        next_try_at: one.nextTryAt?.toISOString() ?? null,
      })),
    };
  });

  for (const [method, isStopped] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const) {
    app.route<OwnStopRequest>({
      method,
      url: '/app/stopped-notifications/:kind/:slug',
      schema: stopSchema,
      handler: async (request, reply) => {
        const caller = { principal: principalOf(request), ticket: changingTicket(request) };
        const { kind, slug } = request.params;
        await notifications.setStopped(caller, { kind, slug }, isStopped);
        return reply.code(204).send();
      },
    });
  }
}
