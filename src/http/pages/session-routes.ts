import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { PasswordSignIn } from '../../access/password-sign-in.ts';
import type { Principal } from '../../access/principal.ts';
import type { Sessions } from '../../access/sign-in-sessions.ts';
import type { SignedInPerson } from '../../access/signed-in-person.ts';
import { ownCommand } from '../../own-command.ts';
import { version } from '../../version.ts';
import { principalOf } from '../admission/admission.ts';
import type { OwnAddress, OwnCookie } from '../admission/own-address.ts';
import { clientOf } from '../admission/rate-limits.ts';
import { noQuery } from '../openapi.ts';

export interface SessionRouteParts {
  readonly sessions: Pick<Sessions, 'list' | 'end'>;
  readonly passwordSignIn: Pick<PasswordSignIn, 'change'>;
  readonly signedInPerson: (principal: Principal) => Promise<SignedInPerson>;
  readonly address: OwnAddress;
  readonly cookie: OwnCookie;
}

interface SignOutRequest {
  Body: { readonly everywhere?: boolean } | null | undefined;
}

/** The signed-in person, their sessions, and signing out. */
export function sessionRoutes(
  app: FastifyInstance,
  { sessions, passwordSignIn, signedInPerson, address, cookie }: SessionRouteParts,
): void {
  app.get('/app/session', { schema: { hide: true, querystring: noQuery } }, async (request) => {
    const principal = principalOf(request);
    return {
      ...(await signedInPerson(principal)),
      version,
      command: ownCommand,
      public_url: address.urlFor(request),
      signed_in_with: principal.session?.method,
    };
  });

  app.get('/app/sessions', { schema: { hide: true, querystring: noQuery } }, async (request) =>
    sessions.list(principalOf(request)),
  );

  const signOutBody = Type.Object({ everywhere: Type.Optional(Type.Boolean()) }, { additionalProperties: false });
  app.post<SignOutRequest>(
    '/app/sign-out',
    { schema: { hide: true, querystring: noQuery, body: signOutBody } },
    async (request, reply) => {
      await sessions.end(principalOf(request), request.body?.everywhere ? 'everywhere' : 'here');
      cookie.clear(request, reply);
      return reply.code(204).send();
    },
  );

  const passwordBody = Type.Object(
    { current: Type.String(), password: Type.String() },
    { additionalProperties: false },
  );
  app.post<{ Body: { readonly current: string; readonly password: string } }>(
    '/app/password',
    { schema: { hide: true, querystring: noQuery, body: passwordBody } },
    async (request, reply) => {
      const { token } = await passwordSignIn.change(principalOf(request), request.body, clientOf(request.ip));
      cookie.set(request, reply, token);
      return reply.code(204).send();
    },
  );
}
