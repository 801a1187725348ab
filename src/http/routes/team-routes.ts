import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ListedTeam, Listings } from '../../directory/listings.ts';
import { principalOf } from '../admission/admission.ts';
import { ListingBytes, type LongAnswers } from '../answer/long-answers.ts';
import { jsonType } from '../errors.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';

const unexpected = 'Unexpected error: internal server error';

const member = Type.Object(
  {
    merged_user_id: Type.String({ description: 'Identifier of the user.' }),
    name: Type.String({ description: 'Display name.' }),
  },
  { title: 'TeamMember' },
);

const team = Type.Object(
  {
    team_id: Type.String({ description: 'Identifier of the team.' }),
    team_name: Type.String({ description: 'Display name.' }),
    department: Type.Unsafe({ type: ['string', 'null'], description: 'Null when no department is set.' }),
    members: Type.Unsafe({
      type: ['array', 'null'],
      items: member,
      description: 'Onboarded users of the team only. Null when it has none.',
    }),
  },
  { title: 'Team' },
);

const example: ListedTeam[] = [
  {
    team_id: '5f0c8a52-8d3e-5d6b-9c1a-2f4b7e9d0a11',
    team_name: 'Payments',
    department: 'Product',
    members: [{ merged_user_id: '0b6a7c1e-4f2d-5a8b-8e3c-9d1f6b2a7c45', name: 'Ada Lovelace' }],
  },
  { team_id: 'a1d9e3b7-6c4f-5e2a-b8d0-7f3c1e9a5b62', team_name: 'Platform', department: null, members: null },
];

interface TeamsParts {
  readonly long: LongAnswers;
  readonly listings: Pick<Listings, 'teams'>;
}

export function teamsRoutes(app: FastifyInstance, { listings, long }: TeamsParts): void {
  const bytes = new ListingBytes<ListedTeam>((teams) => teams);

  app.get(
    '/teams',
    {
      config: { unexpected },
      schema: {
        operationId: 'listTeams',
        summary: 'List teams',
        description: 'All teams of the organisation with their onboarded members, by name. Any valid key may ask.',
        tags: ['Teams'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('All teams of the organisation.', Type.Array(team), { teams: example }),
          ...refused([400, 401, 429, 500, 503, 504], {
            400: "This operation takes no query parameters, but 'limit' was sent.",
            500: unexpected,
          }),
        },
      },
    },
    async (request, reply) => {
      const teams = await listings.teams(principalOf(request).organisationId);
      return long.sendBytes(request, reply.type(jsonType), await bytes.of(teams), principalOf(request));
    },
  );
}
