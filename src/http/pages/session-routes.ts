import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { PasswordSignIn } from '../../access/password-sign-in.ts';
import type { Principal } from '../../access/principal.ts';
import type { Sessions } from '../../access/sign-in-sessions.ts';
import type { SignedInPerson } from '../../access/signed-in-person.ts';
import type { Directory } from '../../directory/directory.ts';
import { noteSetup, type SetupState, sampleFor, setupOf } from '../../directory/setup.ts';
import { ownCommand } from '../../own-command.ts';
import { Refusal } from '../../refusal.ts';
import { version } from '../../version.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import type { OwnAddress, OwnCookie } from '../admission/own-address.ts';
import { clientOf } from '../admission/rate-limits.ts';
import { noQuery } from '../openapi.ts';

export interface SessionRouteParts {
  readonly sessions: Pick<Sessions, 'begin' | 'list' | 'end'>;
  readonly directory: Directory;
  readonly passwordSignIn: Pick<PasswordSignIn, 'change'>;
  readonly signedInPerson: (principal: Principal) => Promise<SignedInPerson>;
  readonly address: OwnAddress;
  readonly cookie: OwnCookie;
}

interface SignOutRequest {
  Body: { readonly everywhere?: boolean } | null | undefined;
}

/** The signed-in person, their sessions, and signing out. */
export function sessionRoutes(app: FastifyInstance, parts: SessionRouteParts): void {
  const { sessions, passwordSignIn, signedInPerson, address, cookie } = parts;
  setupRoutes(app, parts);
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

const setupState = Type.Object(
  { skipped: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 }), is_closed: Type.Boolean() },
  { additionalProperties: false },
);

/** The first steps of an organisation: how far its Owners are, and the made-up data to look at meanwhile. */
function setupRoutes(app: FastifyInstance, { directory, sessions, cookie }: SessionRouteParts): void {
  const byOwner = onlyFor('Owner', 'Setup');

  app.get('/app/setup', { onRequest: byOwner, schema: { hide: true, querystring: noQuery } }, async (request) =>
    setupOf(directory, principalOf(request).organisationId),
  );

  app.put<{ Body: SetupState }>(
    '/app/setup',
    { onRequest: byOwner, schema: { hide: true, querystring: noQuery, body: setupState } },
    async (request, reply) => {
      const { organisationId } = principalOf(request);
      await noteSetup(directory, organisationId, request.body);
      return reply.code(204).send();
    },
  );

  /** The reader becomes a Manager of the sample, who sees all of it and changes nothing there. Their own session ends. */
  app.post(
    '/app/sample',
    { onRequest: byOwner, schema: { hide: true, querystring: noQuery } },
    async (request, reply) => {
      const principal = principalOf(request);
      const sample = await sampleFor(directory, principal.organisationId);
      if (!sample) {
        throw new Refusal('not-found', 'This server has no sample data. The operator adds some with `plumb demo`.');
      }
      const { token } = await sessions.begin(sample.id, sample.managerId, principal.session?.method ?? 'password');
      await sessions.end(principal, 'here');
      cookie.set(request, reply, token);
      return { organisation: sample.name };
    },
  );
}
