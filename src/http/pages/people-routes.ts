import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type SignIns, signInHours } from '../../access/sign-in-links.ts';
import { ticketOf } from '../../admission/ticket.ts';
import { personRecord } from '../../catalogue/directory-records.ts';
import { readRecord } from '../../catalogue/read-record.ts';
import type { Directory } from '../../directory/directory.ts';
import { mergePeople, unmergePerson } from '../../directory/merging.ts';
import { type OnboardingStep, previewOnboarding } from '../../directory/onboarding.ts';
import { removePerson, setPerson } from '../../directory/people.ts';
import type { Roster } from '../../directory/roster.ts';
import { type RosterPerson, rosterStates, searchRoster } from '../../directory/roster-entries.ts';
import type { Suggestion, SuggestionOptions } from '../../ingest/resolve/suggestions.ts';
import { Refusal } from '../../refusal.ts';
import { maxSearchLength } from '../../text-limits.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { changeContextOf, requestTicket } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { notBlank } from '../body/request-validation.ts';
import { jsonType } from '../errors.ts';
import { noQuery } from '../openapi.ts';
import { numberIn, wordIn } from './page-query.ts';

export interface PeopleRouteParts {
  readonly signIns: Pick<SignIns, 'invite'>;
  readonly address: Pick<OwnAddress, 'urlFor'>;
  readonly directory: Directory;
  readonly roster: Pick<Roster, 'of'>;
  readonly long: LongAnswers;
}

const text = Type.Optional(Type.String({ maxLength: 500 }));
const listed = Type.Object(
  {
    search: Type.Optional(Type.String({ maxLength: maxSearchLength })),
    state: text,
    team: text,
    limit: text,
    offset: text,
  },
  { additionalProperties: false },
);
interface ListRequest {
  Querystring: { search?: string; state?: string; team?: string; limit?: string; offset?: string };
}
interface PersonRequest {
  Params: { readonly id: string };
  Body: Readonly<Record<string, unknown>>;
}

const defaultPageSize = 50;
const maxPageSize = 500;
const changing = { onRequest: onlyFor('Owner', 'Changing people') };

/** The roster. Everybody reads names and teams; of whom more is seen follows from the role, as with metrics. */
export function peopleRoutes(app: FastifyInstance, parts: PeopleRouteParts): void {
  const { directory, roster, long, signIns, address } = parts;
  app.get<ListRequest>('/app/people', { schema: { hide: true, querystring: listed } }, async (request, reply) => {
    const principal = principalOf(request);
    const { search, state, team, limit, offset } = request.query;
    const { total, people } = searchRoster(await roster.of(principal.organisationId), principal.visibility, {
      search,
      state: wordIn('state', state, rosterStates),
      team,
      limit: numberIn('limit', limit, { default: defaultPageSize, min: 1, max: maxPageSize }),
      offset: numberIn('offset', offset, { default: 0, max: 10_000_000 }),
    });
    const answer = {
      total,
      people: people.map(({ person, isSeen }) =>
        isSeen ? { ...nameAndTeams(person), ...briefly(person) } : nameAndTeams(person),
      ),
    };
    return long.sendBytes(request, reply.type(jsonType), Buffer.from(JSON.stringify(answer)), principal);
  });

  app.get<PersonRequest>('/app/people/:id', { schema: { hide: true, querystring: noQuery } }, async (request) => {
    const { organisationId, visibility } = principalOf(request);
    const known = await roster.of(organisationId);
    const person = known.byId.get(request.params.id);
    if (!person) throw new Refusal('not-found', 'There is no such person in this organisation.');
    return known.seenBy(visibility)(person.id) ? fully(person) : nameAndTeams(person);
  });

  const shown = async (organisationId: string, id: string) => {
    const person = (await roster.of(organisationId)).byId.get(id);
    if (!person) throw new Refusal('conflict', 'This person was removed or merged meanwhile.');
    return fully(person);
  };
  const body = Type.Object({}, { additionalProperties: true });

  app.post<PersonRequest>(
    '/app/people',
    { ...changing, schema: { hide: true, querystring: noQuery, body } },
    async (request, reply) => {
      const context = changeContextOf(request, reply);
      const record = recordIn(request.body);
      if (record.main_email == null) throw new Refusal('bad-input', 'main_email must say who it is.');
      const known = await roster.of(context.organisationId);
      const address = record.main_email.trim().toLowerCase();
      const taken = known.people.find(({ emails }) => emails.some((one) => one.toLowerCase() === address));
      if (taken) throw new Refusal('conflict', `${record.main_email} belongs to ${taken.name} already.`);
      const { id } = await setPerson(directory, context, record.main_email, record, { create: true });
      reply.code(201);
      return shown(context.organisationId, id);
    },
  );

  app.patch<PersonRequest>(
    '/app/people/:id',
    { ...changing, schema: { hide: true, querystring: noQuery, body } },
    async (request, reply) => {
      const context = changeContextOf(request, reply);
      const { from_records, ...fields } = request.body;
      if (from_records !== undefined && from_records !== true)
        throw new Refusal('bad-input', 'from_records must be true, or left out.');
      // A form sends the whole list of addresses back; the person who filled it in vouches only for what they added.
      const given = from_records ? 'none' : 'new';
      const { id } = await setPerson(directory, context, request.params.id, recordIn(fields), { given });
      return shown(context.organisationId, id);
    },
  );

  // The link that `plumb person sign-in` prints. Anyone who has it can sign in as this person, so only Owners make one.
  app.post<PersonRequest>(
    '/app/people/:id/sign-in-link',
    { ...changing, schema: { hide: true, querystring: noQuery } },
    async (request, reply) => {
      const { organisationId, actor } = changeContextOf(request, reply);
      const person = (await roster.of(organisationId)).byId.get(request.params.id);
      if (!person) throw new Refusal('not-found', 'There is no such person in this organisation.');
      if (person.email === null)
        throw new Refusal('conflict', `${person.name} has no address to sign in with. Set main_email first.`);
      const token = await signIns.invite(organisationId, actor, person.id);
      reply.code(201);
      return { sign_in_url: `${address.urlFor(request)}/sign-in/${token}`, hours: signInHours };
    },
  );

  app.delete<PersonRequest>(
    '/app/people/:id',
    { ...changing, schema: { hide: true, querystring: noQuery } },
    async (request, reply) => {
      await removePerson(directory, changeContextOf(request, reply), request.params.id);
      return reply.code(204).send();
    },
  );
}

/** The fields of `plumb person set`. Who it is, is said by the address of the request. */
function recordIn({ job_title, ...fields }: Readonly<Record<string, unknown>>) {
  const own = ['merged_user_id', '_deleted'].find((name) => name in fields);
  if (own !== undefined) throw new Refusal('bad-input', `${own} cannot be set here.`);
  const reading = readRecord(personRecord, job_title === undefined ? fields : { ...fields, role: job_title }, 'json');
  if ('problem' in reading) throw new Refusal('bad-input', `${reading.problem}.`);
  return reading.record;
}

const nameAndTeams = ({ id, name, teams, onboarded, isBot }: RosterPerson) => ({
  id,
  name,
  teams,
  onboarded,
  is_bot: isBot,
});

const briefly = ({ email, logins, squads, manager, accessRole, jobTitle }: RosterPerson) => ({
  email,
  logins,
  squads,
  manager,
  access_role: accessRole,
  job_title: jobTitle,
});

const fully = (person: RosterPerson) => ({
  ...nameAndTeams(person),
  ...briefly(person),
  emails: person.emails,
  managed_teams: person.managedTeams,
  manager_email: person.managerEmail,
  permissions: person.permissions,
  level: person.level,
  location: person.location,
  created_date: person.createdDate,
  merged_from: person.mergedFrom,
});

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

/** Routes for matching people: whom identifiers mean, and who is the same person. */
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
