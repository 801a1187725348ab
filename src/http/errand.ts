import type { FastifyRequest } from 'fastify';
import type { Errand } from '../directory/directory.ts';
import { principalOf } from './admission.ts';

/** A change in the caller's organisation, in the caller's name. */
export function errandOf(request: FastifyRequest): Errand {
  const { organisationId, personId, keyId } = principalOf(request);
  return { organisationId, actor: { via: 'api', personId, keyId } };
}
