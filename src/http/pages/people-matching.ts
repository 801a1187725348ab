import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ticketOf } from '../../admission/ticket.ts';
import type { Directory } from '../../directory/directory.ts';
import { mergePeople, unmergePerson } from '../../directory/merging.ts';
import { type OnboardingStep, previewOnboarding } from '../../directory/onboarding.ts';
import type { Suggestion, SuggestionOptions } from '../../ingest/resolve/suggestions.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf, requestTicket } from '../admission/request-ticket.ts';
import { notBlank } from '../body/request-validation.ts';
import { noQuery } from '../openapi.ts';

export interface MatchingRouteParts {
  readonly directory: Directory;
  readonly matchSuggestions: (organisationId: string, options: SuggestionOptions) => Promise<readonly Suggestion[]>;
}

const identifier = Type.String({ pattern: notBlank, maxLength: 1_000 });
const preview = Type.Object(
  {
    identifiers: Type.Array(identifier, { maxItems: 10_000 }),
    step: Type.Optional(Type.Unsafe<OnboardingStep>({ type: 'string', enum: ['onboard', 'offboard'] })),
  },
  { additionalProperties: false },
);
interface PreviewRequest {
  Body: { readonly identifiers: readonly string[]; readonly step?: OnboardingStep };
}
const merge = Type.Object({ into: identifier, from: identifier }, { additionalProperties: false });
interface MergeRequest {
  Body: { readonly into: string; readonly from: string };
}
const unmerge = Type.Object({ person: identifier }, { additionalProperties: false });
interface UnmergeRequest {
  Body: { readonly person: string };
}

/** Whom identifiers mean, and who is the same as whom. */
export function peopleMatchingRoutes(app: FastifyInstance, { directory, matchSuggestions }: MatchingRouteParts): void {
  app.post<PreviewRequest>(
    '/app/people/preview',
    {
      onRequest: onlyFor('Owner', 'Onboarding and offboarding'),
      schema: { hide: true, querystring: noQuery, body: preview },
    },
    async (request) => {
      const principal = principalOf(request);
      const { identifiers, step = 'onboard' } = request.body;
      return {
        identifiers: await directory.store.read(
          (session) => previewOnboarding(session, principal.organisationId, identifiers, step),
          { ticket: ticketOf(principal) },
        ),
      };
    },
  );

  const merging = { onRequest: onlyFor('Owner', 'Merging people') };

  app.get(
    '/app/people/suggestions',
    { ...merging, schema: { hide: true, querystring: noQuery } },
    async (request, reply) => {
      const principal = principalOf(request);
      return {
        suggestions: await matchSuggestions(principal.organisationId, { ticket: requestTicket(request, reply) }),
      };
    },
  );

  app.post<MergeRequest>(
    '/app/people/merge',
    { ...merging, schema: { hide: true, querystring: noQuery, body: merge } },
    async (request, reply) => {
      const { into, from } = request.body;
      return mergedView(await mergePeople(directory, changeContextOf(request, reply), into, from));
    },
  );

  app.post<UnmergeRequest>(
    '/app/people/unmerge',
    { ...merging, schema: { hide: true, querystring: noQuery, body: unmerge } },
    async (request, reply) =>
      mergedView(await unmergePerson(directory, changeContextOf(request, reply), request.body.person)),
  );
}

interface Merged {
  readonly survivor: { readonly id: string; readonly name: string };
  readonly absorbed: { readonly id: string; readonly name: string };
}

const mergedView = ({ survivor, absorbed }: Merged): Merged => ({
  survivor: { id: survivor.id, name: survivor.name },
  absorbed: { id: absorbed.id, name: absorbed.name },
});
