import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import { offboard } from '../../directory/onboarding.ts';
import { onlyFor } from '../admission/admission.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import {
  type IdentifierLists,
  identifierLists,
  notFoundLists,
  notFoundOf,
  readIdentifiers,
  warningsOf,
} from '../body/identifier-lists.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';

const offboarded = Type.Object(
  {
    message: Type.String({ description: 'What happened, in a sentence.' }),
    offboarded_count: Type.Integer({ description: 'Users offboarded.' }),
    offboarded_user_ids: Type.Array(Type.String(), { description: 'Identifiers of the users offboarded.' }),
    not_found: notFoundLists,
    warnings: Type.Array(Type.String(), { description: 'Empty when every identifier matched.' }),
  },
  { title: 'OffboardingAnswer' },
);
type OffboardedAnswer = Static<typeof offboarded>;

const done: OffboardedAnswer = {
  message: 'Users were successfully offboarded',
  offboarded_count: 1,
  offboarded_user_ids: ['0b6a7c1e-4f2d-5a8b-8e3c-9d1f6b2a7c45'],
  not_found: { email_addresses: [], github_usernames: [] },
  warnings: [],
};

export function offboardedUsersRoutes(app: FastifyInstance, { directory }: { readonly directory: Directory }): void {
  app.post<{ Body: IdentifierLists }>(
    '/users/offboarded-users-by-attributes',
    {
      onRequest: onlyFor('Owner', 'Offboarding'),
      schema: {
        operationId: 'offboardUsers',
        summary: 'Offboard users',
        description:
          'Removes everyone that one of the identifiers names from the onboarded users. Their history is kept, and comes back when they are onboarded again. Someone who is not onboarded counts as not found. Needs a key whose creator is an Owner.',
        tags: ['Users'],
        security: keyNeeded,
        querystring: noQuery,
        body: identifierLists,
        response: {
          200: answered('Everyone matched is offboarded.', offboarded, { offboarded: done }),
          ...refused([400, 401, 403, 404, 413, 415, 429, 500, 503, 504], {
            403: 'Offboarding needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
            404: 'No onboarded user matches the supplied identifiers: nobody@example.com. Verify them and try again.',
          }),
        },
      },
    },
    async (request, reply): Promise<OffboardedAnswer> => {
      const identifiers = readIdentifiers(request.body);
      const { offboardedIds, notFound } = await offboard(directory, changeContextOf(request, reply), identifiers);
      return {
        message: done.message,
        offboarded_count: offboardedIds.length,
        offboarded_user_ids: [...offboardedIds],
        not_found: notFoundOf(notFound),
        warnings: warningsOf(notFound),
      };
    },
  );
}
