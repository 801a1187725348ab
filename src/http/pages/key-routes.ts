import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ApiKeys, keyExpiry, keyStatus, type ListedKey, type MadeKey, shownKey } from '../../access/api-keys.ts';
import type { Principal } from '../../access/principal.ts';
import { whatKeySees } from '../../access/scope.ts';
import type { SignedInPerson } from '../../access/signed-in-person.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { changeContextOf } from '../admission/request-ticket.ts';
import { notBlank } from '../body/request-validation.ts';
import { noQuery } from '../openapi.ts';

export interface KeyRouteParts {
  readonly keys: Pick<ApiKeys, 'list' | 'createOwn' | 'rotate' | 'revoke'>;
  readonly signedInPerson: (principal: Principal) => Promise<SignedInPerson>;
  readonly now: () => Date;
}

const newKey = Type.Object(
  {
    name: Type.String({ pattern: notBlank, maxLength: 200 }),
    expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 50 })),
  },
  { additionalProperties: false },
);
interface NewKeyRequest {
  Body: { readonly name: string; readonly expires_at?: string | null };
}

const defaultOverlap = 24 * 3_600;
const maxOverlap = 30 * 24 * 3_600;
const rotation = Type.Unsafe<{ readonly overlap_seconds?: number } | null>({
  type: ['object', 'null'],
  properties: { overlap_seconds: { type: 'integer', minimum: 0, maximum: maxOverlap } },
  additionalProperties: false,
});
interface KeyRequest {
  Params: { readonly id: string };
  Body: { readonly overlap_seconds?: number } | null | undefined;
}

/**
 * API keys: Owners see and revoke all of them, everybody else their own. Only who holds a key rotates it, since
 * that shows a key that asks in the name of its holder.
 */
export function keyRoutes(app: FastifyInstance, { keys, signedInPerson, now }: KeyRouteParts): void {
  const seenBy = async ({ organisationId, personId, role }: Principal): Promise<ListedKey[]> =>
    (await keys.list(organisationId)).filter((key) => role === 'Owner' || key.holder_id === personId);
  /** The person whose keys they may revoke; undefined for everyone's. */
  const holderFor = ({ role, personId }: Principal) => (role === 'Owner' ? undefined : personId);
  /** Shown now and never again, with what is known of it. */
  const shown = async (request: FastifyRequest, { id, key }: MadeKey) => {
    const made = (await keys.list(principalOf(request).organisationId)).find((one) => one.id === id);
    if (!made) throw new Refusal('conflict', 'The key was taken away again meanwhile.');
    return { id, key, name: made.name, prefix: shownKey(made), expires_at: iso(made.expires_at) };
  };

  app.get('/app/keys', { schema: { hide: true, querystring: noQuery } }, async (request) => {
    const principal = principalOf(request);
    const listed = await seenBy(principal);
    const { owners } = await signedInPerson(principal);
    return { keys: listed.map((key) => keyView(key, principal, now())), sees: whatKeySees(principal), owners };
  });

  app.post<NewKeyRequest>(
    '/app/keys',
    { schema: { hide: true, querystring: noQuery, body: newKey } },
    async (request, reply) => {
      const { name, expires_at } = request.body;
      const expiresAt = expires_at == null || expires_at === '' ? undefined : keyExpiry(expires_at);
      const made = await keys.createOwn(changeContextOf(request, reply), {
        creatorId: principalOf(request).personId,
        name,
        ...(expiresAt ? { expiresAt } : {}),
      });
      reply.code(201);
      return shown(request, made);
    },
  );

  app.post<KeyRequest>(
    '/app/keys/:id/rotate',
    { schema: { hide: true, querystring: noQuery, body: rotation } },
    async (request, reply) => {
      const { organisationId, actor } = changeContextOf(request, reply);
      const overlap = request.body?.overlap_seconds ?? defaultOverlap;
      const principal = principalOf(request);
      refuseRotationOfOthers(await seenBy(principal), request.params.id, principal);
      return shown(request, await keys.rotate(organisationId, actor, request.params.id, overlap, principal.personId));
    },
  );

  app.delete<KeyRequest>('/app/keys/:id', { schema: { hide: true, querystring: noQuery } }, async (request, reply) => {
    const { organisationId, actor } = changeContextOf(request, reply);
    await keys.revoke(organisationId, actor, request.params.id, holderFor(principalOf(request)));
    return reply.code(204).send();
  });
}

/** Where an Owner sees the key of another; a key that the caller does not see is answered as one that does not exist. */
function refuseRotationOfOthers(seen: readonly ListedKey[], id: string, { personId }: Principal): void {
  const key = seen.find((one) => one.id === id);
  if (!key || key.holder_id === personId) return;
  const holder = key.holder_id === null ? 'its holder, who was removed,' : `${key.creator_name}, whose key this is,`;
  throw new Refusal('forbidden', `Only ${holder} can rotate it. You can revoke it.`);
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const keyView = (key: ListedKey, { personId }: Principal, now: Date) => ({
  id: key.id,
  name: key.name,
  prefix: shownKey(key),
  creator: key.holder_id === null ? null : { id: key.holder_id, name: key.creator_name },
  role: key.creator_role,
  status: keyStatus(key, now),
  created_at: iso(key.created_at),
  expires_at: iso(key.expires_at),
  revoked_at: iso(key.revoked_at),
  last_used_at: iso(key.last_used_at),
  is_own: key.holder_id === personId,
});
