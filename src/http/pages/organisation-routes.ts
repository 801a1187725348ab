import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ticketOf } from '../../admission/ticket.ts';
import { readAuditLog } from '../../directory/audit-log.ts';
import type { Directory } from '../../directory/directory.ts';
import { organisationView } from '../../directory/organisation-settings.ts';
import { resolveOrganisation, setOrganisation } from '../../directory/organisations.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import { noQuery } from '../openapi.ts';
import { numberIn } from './page-query.ts';

export interface OrganisationRouteParts {
  readonly directory: Directory;
}

interface SettingsRequest {
  Body: Readonly<Record<string, unknown>>;
}

/** The settings of the organisation. */
export function organisationRoutes(app: FastifyInstance, { directory }: OrganisationRouteParts): void {
  app.get('/app/organisation', { schema: { hide: true, querystring: noQuery } }, async (request) => {
    const { organisationId } = principalOf(request);
    return organisationView(await directory.store.read((session) => resolveOrganisation(session, organisationId)));
  });

  app.patch<SettingsRequest>(
    '/app/organisation',
    {
      onRequest: onlyFor('Owner', 'Changing the settings of the organisation'),
      schema: { hide: true, querystring: noQuery, body: Type.Object({}, { additionalProperties: true }) },
    },
    async (request, reply) => {
      const texts = Object.fromEntries(Object.entries(request.body).map(([name, value]) => [name, textOf(value)]));
      return organisationView(await setOrganisation(directory, changeContextOf(request, reply), texts));
    },
  );
}

/** As typed after `plumb org set`: one place reads settings. */
function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
      const entries = numberIn('limit', limit, { default: 50, min: 1, max: 500 });
      return directory.store.read(
        (session) => readAuditLog(session, principal.organisationId, { limit: entries, before }),
        {
          ticket: ticketOf(principal),
        },
      );
    },
  );
}
