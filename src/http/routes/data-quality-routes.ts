import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { DataQuality, DataQualityOptions } from '../../data-quality/data-quality.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { abortOnDisconnect } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { jsonType } from '../errors.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';
import { sourceHealthExample, sourceHealthSchema } from '../reference/source-health-schema.ts';

const textOrNull = (description: string) => Type.Unsafe({ type: ['string', 'null'], description });
const count = (description: string) => Type.Integer({ description });
const newestRecord = textOrNull('Time of the newest record, ISO 8601. Null where there is none.');

const unknownAccount = Type.Object(
  {
    source: textOrNull('Where the login is valid.'),
    login: textOrNull('Login.'),
    email: textOrNull('Email address.'),
    name: textOrNull('Name, as records give it.'),
    is_bot: Type.Boolean({ description: 'Whether it is a bot.' }),
    rows: count('Rows that name it.'),
  },
  { title: 'UnknownAccount' },
);

const disputedAccount = Type.Object(
  {
    source: textOrNull('Where the login is valid.'),
    login: textOrNull('Login.'),
    identifier: textOrNull('Address or identifier, where the account has no login.'),
    bot_records: count('Records that call it a bot.'),
    person_records: count('Records that call it a person.'),
    counts_as: Type.Unsafe({ type: 'string', enum: ['bot', 'person', 'both'], description: 'What its rows count as.' }),
  },
  { title: 'DisputedAccount' },
);

const notOnboardedPerson = Type.Object(
  {
    merged_user_id: Type.String({ description: 'Identifier of the user.' }),
    name: Type.String({ description: 'Display name.' }),
    email: textOrNull('Primary email address.'),
    rows: count('Rows that are left out.'),
  },
  { title: 'NotOnboardedPerson' },
);

const personWhoLeft = Type.Object(
  {
    merged_user_id: Type.String({ description: 'Identifier of the user.' }),
    name: Type.String({ description: 'Display name.' }),
    logins: Type.Array(Type.String(), { description: 'Logins that are no longer listed.' }),
    left_at: Type.String({ description: 'When a sync first found the last of them gone, ISO 8601.' }),
  },
  { title: 'PersonWhoLeft' },
);

const disputedLink = Type.Object(
  {
    source: Type.String({ description: 'Where the login is valid.' }),
    login: Type.String({ description: 'Login.' }),
    linked_to: Type.String({ description: 'Whose it is, by its login.' }),
    email_belongs_to: Type.String({ description: 'Who has its verified email address.' }),
  },
  { title: 'DisputedLink' },
);

const table = Type.Object(
  {
    table: Type.String({ description: 'Table.' }),
    rows: count('Its rows.'),
    newest_record_at: newestRecord,
    data_through: textOrNull('The moment up to which its rows are complete, ISO 8601.'),
    data_since: textOrNull('Where its history begins, ISO 8601.'),
    is_daily: Type.Boolean({ description: 'Whether its rows are reports of whole days.' }),
    schedule_seconds: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'How often the streams that feed it are read. Null where none does.',
    }),
    missing: Type.Array(Type.String(), { description: 'Streams that feed it and do not count for data_through.' }),
  },
  { title: 'TableFreshness' },
);

const dataQuality = Type.Object(
  {
    unknown_identities: Type.Object({
      accounts: count('Accounts that belong to no person in the directory.'),
      rows: count('Rows that belong to no person because of it.'),
      most_named: Type.Array(unknownAccount, { description: 'Up to 100 of them, those with the most rows first.' }),
    }),
    disputed_accounts: Type.Array(disputedAccount, {
      description: 'Accounts that some records call a bot and others a person. Up to 100.',
    }),
    not_onboarded: Type.Object({
      people: count('People who are known and not onboarded, without bots.'),
      rows: count('Rows that are not counted because of it.'),
      most_active: Type.Array(notOnboardedPerson, {
        description: 'Up to 100 of them, those with the most rows first.',
      }),
    }),
    people_who_left: Type.Object({
      people: count('People who are onboarded, and whom no code host lists any more that once did.'),
      latest: Type.Array(personWhoLeft, { description: 'Up to 100 of them, those who left last first.' }),
    }),
    disputed_links: Type.Array(disputedLink, {
      description:
        'Accounts of code hosts whose login is one person’s and whose verified email address another’s. Up to 100.',
    }),
    pull_requests_without_deployment: Type.Object({
      pull_requests: count('Merged pull requests that no deployment is known to have carried.'),
      by_status: Type.Array(
        Type.Object({
          status: Type.String({ description: 'What became of them: deployment_attribution_status.' }),
          pull_requests: count('How many.'),
        }),
      ),
    }),
    incidents_without_repository: Type.Object({
      incidents: count(
        'Incidents that count nowhere: they name no deployment, and their service is the name of no known repository, or of several.',
      ),
      most_named: Type.Array(
        Type.Object({
          service: textOrNull('Repository or service, as they give it. Null where they give none.'),
          incidents: count('How many.'),
        }),
        { description: 'Up to 100 services, those with the most incidents first.' },
      ),
    }),
    repositories_without_recent_data: Type.Object({
      repositories: count('Repositories in which nothing happened for 30 days.'),
      longest_quiet: Type.Array(
        Type.Object({
          repository: Type.String({ description: 'Repository, owner/name.' }),
          newest_record_at: newestRecord,
        }),
        { description: 'Up to 100 of them.' },
      ),
    }),
    sources: Type.Array(sourceHealthSchema, { description: 'How the reading of each source went the last time.' }),
    freshness: Type.Object({
      newest_record_at: newestRecord,
      data_through: textOrNull('The moment up to which every table that has rows is complete, ISO 8601.'),
      tables: Type.Array(table, { description: 'Every table that has rows.' }),
      stale: Type.Array(
        Type.Object({
          table: Type.String({ description: 'Table.' }),
          since: Type.String({ description: 'The moment up to which its rows are complete, ISO 8601.' }),
          source: textOrNull('The source that brings nothing. Null where no source feeds the table.'),
        }),
        {
          description:
            'Tables that get nothing new: older than twice their schedule, reports of days whose newest day is more than three days ago, and tables that no source feeds without rows for two weekdays where each of the ten before had some. None of sample data.',
        },
      ),
    }),
  },
  { title: 'DataQuality' },
);

const example: DataQuality = {
  unknown_identities: {
    accounts: 1,
    rows: 12,
    most_named: [{ source: 'github', login: 'ada-l', email: null, name: 'Ada Lovelace', is_bot: false, rows: 12 }],
  },
  disputed_accounts: [
    { source: 'github', login: 'builder', identifier: null, bot_records: 40, person_records: 2, counts_as: 'bot' },
  ],
  not_onboarded: { people: 0, rows: 0, most_active: [] },
  people_who_left: {
    people: 1,
    latest: [
      {
        merged_user_id: '0d0e3a0c-6a53-5a7e-8d3c-3a1f0c9b7e21',
        name: 'Grace Hopper',
        logins: ['grace'],
        left_at: '2027-01-30T12:00:00.000Z',
      },
    ],
  },
  disputed_links: [{ source: 'github', login: 'ada-l', linked_to: 'Ada Lovelace', email_belongs_to: 'Ada L.' }],
  pull_requests_without_deployment: {
    pull_requests: 3,
    by_status: [{ status: 'awaiting_deploy', pull_requests: 3 }],
  },
  incidents_without_repository: { incidents: 2, most_named: [{ service: 'checkout', incidents: 2 }] },
  repositories_without_recent_data: {
    repositories: 1,
    longest_quiet: [{ repository: 'acme/attic', newest_record_at: '2026-01-31T09:00:00.000Z' }],
  },
  sources: [sourceHealthExample],
  freshness: {
    newest_record_at: '2027-01-31T10:40:00.000Z',
    data_through: '2027-01-31T09:00:00Z',
    tables: [
      {
        table: 'pull_requests',
        rows: 1_204,
        newest_record_at: '2027-01-31T10:40:00.000Z',
        data_through: '2027-01-31T09:00:00Z',
        data_since: '2024-02-01T08:12:00Z',
        is_daily: false,
        schedule_seconds: 3_600,
        missing: [],
      },
    ],
    stale: [{ table: 'pull_requests', since: '2027-01-31T09:00:00Z', source: 'Code' }],
  },
};

export interface DataQualityRouteParts {
  readonly long: LongAnswers;
  readonly dataQuality: (organisationId: string, options: DataQualityOptions) => Promise<DataQuality>;
}

export function dataQualityRoutes(app: FastifyInstance, { dataQuality: find, long }: DataQualityRouteParts): void {
  app.get(
    '/data-quality',
    {
      onRequest: onlyFor('Owner', 'Data quality'),
      schema: {
        operationId: 'dataQuality',
        summary: 'What to know before trusting a number',
        description:
          'Identities that belong to no person in the directory, accounts called both bot and person, people who are not onboarded and what that leaves out, people who left a code host, accounts that are linked to one person and have the address of another, pull requests without a deployment, incidents without a repository, repositories without recent data, the last success and the last error of each stream of each source with what to do about it, what each source could not see, and the freshness of the data. Needs a key whose creator is an Owner.',
        tags: ['Data quality'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('The data quality of the organisation.', dataQuality, { 'data quality': example }),
          ...refused([400, 401, 403, 405, 429, 500, 503, 504], {
            400: "This operation takes no query parameters, but 'limit' was sent.",
            403: 'Data quality needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
            405: "'/data-quality' does not take POST. It takes GET, HEAD.",
          }),
        },
      },
    },
    async (request, reply) =>
      abortOnDisconnect(request, reply, async (ticket) => {
        const principal = principalOf(request);
        const found = await find(principal.organisationId, { ticket });
        return long.sendBytes(request, reply.type(jsonType), Buffer.from(JSON.stringify(found)), principal);
      }),
  );
}
