import type { FastifyInstance } from 'fastify';
import type { PinnedBoards } from '../../boards/pinned-boards.ts';
import { principalOf } from '../admission/admission.ts';
import { changingTicket, requestTicket } from '../admission/request-ticket.ts';
import { noQuery } from '../openapi.ts';

export interface PinnedBoardRouteParts {
  readonly pinnedBoards: Pick<PinnedBoards, 'list' | 'pin' | 'unpin'>;
}

interface PinRequest {
  Params: { readonly slug: string };
}

const schema = { hide: true, querystring: noQuery };

/** The boards that somebody has in the navigation, in the order in which they pinned them. */
export function pinnedBoardRoutes(app: FastifyInstance, { pinnedBoards }: PinnedBoardRouteParts): void {
  app.get('/app/pinned-boards', { schema }, (request, reply) =>
    pinnedBoards.list({ principal: principalOf(request), ticket: requestTicket(request, reply) }),
  );

  app.put<PinRequest>('/app/pinned-boards/:slug', { schema }, async (request, reply) => {
    const caller = { principal: principalOf(request), ticket: changingTicket(request) };
    await pinnedBoards.pin(caller, request.params.slug);
    return reply.code(204).send();
  });

  app.delete<PinRequest>('/app/pinned-boards/:slug', { schema }, async (request, reply) => {
    const caller = { principal: principalOf(request), ticket: changingTicket(request) };
    await pinnedBoards.unpin(caller, request.params.slug);
    return reply.code(204).send();
  });
}
