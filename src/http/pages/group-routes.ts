import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import {
  changeGroup,
  createGroup,
  type GroupChanges,
  type GroupOfPeople,
  removeGroup,
} from '../../directory/groups.ts';
import type { Roster } from '../../directory/roster.ts';
import type { OrganisationRoster } from '../../directory/roster-entries.ts';
import { Refusal } from '../../refusal.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { notBlank } from '../body/request-validation.ts';
import { jsonType } from '../errors.ts';
import { noQuery } from '../openapi.ts';
import { wordIn } from './page-query.ts';

export interface GroupRouteParts {
  readonly directory: Directory;
  readonly roster: Pick<Roster, 'of'>;
  readonly long: LongAnswers;
}

const kinds = ['team', 'squad'] as const;
const orNull = (type: string, more: object = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: [type, 'null'], ...more }));
const ids = Type.Optional(Type.Array(Type.String({ pattern: notBlank, maxLength: 500 }), { maxItems: 5_000 }));
const fields = {
  department: orNull('string', { maxLength: 500 }),
  level: orNull('integer', { minimum: 1, maximum: 1_000 }),
  parent: orNull('string', { maxLength: 500 }),
  lead: orNull('string', { maxLength: 500 }),
  add: ids,
  remove: ids,
};
const name = Type.String({ pattern: notBlank, maxLength: 500 });
const newGroup = Type.Object(
  { kind: Type.Unsafe<GroupOfPeople>({ type: 'string', enum: [...kinds] }), name, ...fields },
  { additionalProperties: false },
);
const changedGroup = Type.Object({ name: Type.Optional(name), ...fields }, { additionalProperties: false });
const ofKind = Type.Object({ kind: Type.Optional(Type.String()) }, { additionalProperties: false });

interface NewGroupRequest {
  Body: GroupChanges & { readonly kind: GroupOfPeople; readonly name: string };
}
interface GroupRequest {
  Params: { readonly id: string };
  Querystring: { readonly kind?: string };
  Body: GroupChanges;
}

const changing = { onRequest: onlyFor('Owner', 'Changing teams and squads') };
const kindOf = ({ query }: FastifyRequest<GroupRequest>) => wordIn('kind', query.kind, kinds);

/** Teams and squads with those in them. */
export function groupRoutes(app: FastifyInstance, { directory, roster, long }: GroupRouteParts): void {
  app.get('/app/groups', { schema: { hide: true, querystring: noQuery } }, async (request, reply) => {
    const principal = principalOf(request);
    const known = await roster.of(principal.organisationId);
    const answer = { teams: known.teams, squads: squadsFor(known, known.seenBy(principal.visibility)) };
    return long.sendBytes(request, reply.type(jsonType), Buffer.from(JSON.stringify(answer)), principal);
  });

  const shown = async (organisationId: string, { kind, id }: { readonly kind: GroupOfPeople; readonly id: string }) => {
    const known = await roster.of(organisationId);
    const group = (kind === 'team' ? known.teams : known.squads).find((one) => one.id === id);
    if (!group) throw new Refusal('conflict', `This ${kind} was removed meanwhile.`);
    return { kind, ...group };
  };

  app.post<NewGroupRequest>(
    '/app/groups',
    { ...changing, schema: { hide: true, querystring: noQuery, body: newGroup } },
    async (request, reply) => {
      const { kind, ...changes } = request.body;
      const context = changeContextOf(request, reply);
      const made = await createGroup(directory, context, kind, changes);
      reply.code(201);
      return shown(context.organisationId, made);
    },
  );

  app.patch<GroupRequest>(
    '/app/groups/:id',
    { ...changing, schema: { hide: true, querystring: ofKind, body: changedGroup } },
    async (request, reply) => {
      const context = changeContextOf(request, reply);
      const changed = await changeGroup(directory, context, request.params.id, request.body, kindOf(request));
      return shown(context.organisationId, changed);
    },
  );

  app.delete<GroupRequest>(
    '/app/groups/:id',
    { ...changing, schema: { hide: true, querystring: ofKind } },
    async (request, reply) => {
      await removeGroup(directory, changeContextOf(request, reply), request.params.id, kindOf(request));
      return reply.code(204).send();
    },
  );
}

/** The tree is everybody's; who is in a squad is seen only of people of whom more than the name and the teams is. */
const squadsFor = ({ squads }: OrganisationRoster, sees: (personId: string) => boolean) =>
  squads.map((squad) => ({
    ...squad,
    lead: squad.lead && sees(squad.lead.id) ? squad.lead : null,
    members: squad.members.filter(({ id }) => sees(id)),
  }));
