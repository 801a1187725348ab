import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import type { Listings, OnboardedUser } from '../../directory/listings.ts';
import { onboard } from '../../directory/onboarding.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import { ListingBytes, type LongAnswers } from '../answer/long-answers.ts';
import {
  type IdentifierLists,
  identifierLists,
  notFoundLists,
  notFoundOf,
  readIdentifiers,
  warningsOf,
} from '../body/identifier-lists.ts';
import { jsonType } from '../errors.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';

const path = '/users/onboarded-users-by-attributes';

const user = Type.Object(
  {
    merged_user_id: Type.String({ description: 'Identifier of the user.' }),
    name: Type.String({ description: 'Display name.' }),
    email: Type.Unsafe({ type: ['string', 'null'], description: 'Primary email address.' }),
    github_username: Type.Unsafe({
      type: ['string', 'null'],
      description: 'Login on the code host. Null for a person without one.',
    }),
  },
  { title: 'OnboardedUser' },
);

const listed = Type.Object(
  {
    users: Type.Array(user),
    total_users_found: Type.Integer({ description: 'Number of users returned.' }),
  },
  { title: 'OnboardedUsers' },
);

const onboarded = Type.Object(
  {
    message: Type.String({ description: 'What happened, in a sentence.' }),
    onboarded_count: Type.Integer({ description: 'Users newly onboarded.' }),
    onboarded_user_ids: Type.Array(Type.String(), { description: 'Identifiers of the users newly onboarded.' }),
    total_users_found: Type.Integer({ description: 'Users that the identifiers matched.' }),
    not_found: notFoundLists,
    warnings: Type.Array(Type.String(), { description: 'Empty when every identifier matched.' }),
  },
  { title: 'OnboardingAnswer' },
);
type OnboardedAnswer = Static<typeof onboarded>;

const someId = '0b6a7c1e-4f2d-5a8b-8e3c-9d1f6b2a7c45';
const done: OnboardedAnswer = {
  message: 'Users were successfully onboarded',
  onboarded_count: 1,
  onboarded_user_ids: [someId],
  total_users_found: 1,
  not_found: { email_addresses: ['nobody@example.com'], github_usernames: [] },
  warnings: ['Some users were not found'],
};
const nothingToDo: OnboardedAnswer = {
  message: 'All users are already onboarded',
  onboarded_count: 0,
  onboarded_user_ids: [],
  total_users_found: 1,
  not_found: { email_addresses: [], github_usernames: [] },
  warnings: [],
};

interface OnboardedUsersParts {
  readonly long: LongAnswers;
  readonly listings: Pick<Listings, 'onboardedUsers'>;
  readonly directory: Directory;
}

export function onboardedUsersRoutes(app: FastifyInstance, { listings, directory, long }: OnboardedUsersParts): void {
  const bytes = new ListingBytes<OnboardedUser>((users) => ({ users, total_users_found: users.length }));

  app.get(
    path,
    {
      schema: {
        operationId: 'listOnboardedUsers',
        summary: 'List onboarded users',
        description: 'All currently onboarded users of the organisation, by name. Any valid key may ask.',
        tags: ['Users'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('All onboarded users.', listed, {
            users: {
              users: [
                { merged_user_id: someId, name: 'Ada Lovelace', email: 'ada@example.com', github_username: 'ada' },
              ],
              total_users_found: 1,
            },
          }),
          ...refused([400, 401, 429, 500, 503, 504], {
            400: "This operation takes no query parameters, but 'limit' was sent.",
          }),
        },
      },
    },
    async (request, reply) => {
      const users = await listings.onboardedUsers(principalOf(request).organisationId);
      return long.sendBytes(request, reply.type(jsonType), await bytes.of(users), principalOf(request));
    },
  );

  app.post<{ Body: IdentifierLists }>(
    path,
    {
      onRequest: onlyFor('Owner', 'Onboarding'),
      schema: {
        operationId: 'onboardUsers',
        summary: 'Onboard users',
        description:
          'Onboards everyone that one of the identifiers names. Identifiers that name no one are returned and do not stop the rest. When no identifier names anyone, nothing happens and the answer is 404. Needs a key whose creator is an Owner.',
        tags: ['Users'],
        security: keyNeeded,
        querystring: noQuery,
        body: identifierLists,
        response: {
          200: answered('Everyone matched is onboarded.', onboarded, { onboarded: done, already: nothingToDo }),
          ...refused([400, 401, 403, 404, 413, 415, 429, 500, 503, 504]),
        },
      },
    },
    async (request, reply): Promise<OnboardedAnswer> => {
      const identifiers = readIdentifiers(request.body);
      const { onboardedIds, found, notFound } = await onboard(directory, changeContextOf(request, reply), identifiers);
      return {
        message: onboardedIds.length === 0 ? nothingToDo.message : done.message,
        onboarded_count: onboardedIds.length,
        onboarded_user_ids: [...onboardedIds],
        total_users_found: found,
        not_found: notFoundOf(notFound),
        warnings: warningsOf(notFound),
      };
    },
  );
}
