import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ticketOf } from '../../admission/ticket.ts';
import { readAuditLog } from '../../directory/audit-log.ts';
import type { Directory } from '../../directory/directory.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { numberIn } from './page-query.ts';

export interface AuditRouteParts {
  readonly directory: Directory;
}

const paged = Type.Object(
  { before: Type.Optional(Type.String({ maxLength: 2_000 })), limit: Type.Optional(Type.String({ maxLength: 20 })) },
  { additionalProperties: false },
);
interface AuditRequest {
  Querystring: { readonly before?: string; readonly limit?: string };
}

/** Who changed what, newest first. */
export function auditRoutes(app: FastifyInstance, { directory }: AuditRouteParts): void {
  app.get<AuditRequest>(
    '/app/audit',
    { onRequest: onlyFor('Owner', 'Reading the audit log'), schema: { hide: true, querystring: paged } },
    async (request) => {
      const principal = principalOf(request);
      const { before, limit } = request.query;
      const most = numberIn('limit', limit, { usual: 50, least: 1, most: 500 });
      return directory.store.read((session) => readAuditLog(session, principal.organisationId, { most, before }), {
        ticket: ticketOf(principal),
      });
    },
  );
}
