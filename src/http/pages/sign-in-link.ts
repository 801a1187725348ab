import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { passwordProblem } from '../../access/passwords.ts';
import type { BegunSession } from '../../access/sessions.ts';
import type { SignIns } from '../../access/sign-in.ts';
import { Refusal } from '../../refusal.ts';
import type { RateLimits } from '../admission/rate-limits.ts';
import { invitationPage } from './sign-in-pages.ts';

export interface SignInLinkParts {
  readonly signIns: Pick<SignIns, 'peek' | 'redeem'>;
  readonly limits: RateLimits;
  readonly now: () => Date;
}

/** What somebody who has signed in gets: their cookie, and the page that they wanted. */
export type LetIn = (request: FastifyRequest, reply: FastifyReply, session: BegunSession, next: string) => FastifyReply;

interface LinkRequest {
  Params: { readonly token: string };
  Body: URLSearchParams | undefined;
}

/** The page behind a sign-in link: the one who has it chooses a password. Only the button uses the link up. */
export function signInLinkRoutes(app: FastifyInstance, { signIns, limits, now }: SignInLinkParts, letIn: LetIn): void {
  /** A link that does not work may be a guess, so it counts as one. */
  const countingGuesses = async <T>(request: FastifyRequest, reply: FastifyReply, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const isGuess = error instanceof Refusal && error.reason === 'not-found';
      throw (isGuess && limits.countWrong(request, reply, now())) || error;
    }
  };
  const peek = (request: FastifyRequest<LinkRequest>, reply: FastifyReply) =>
    countingGuesses(request, reply, signIns.peek(request.params.token, limits.sender(request, reply, now)));

  app.get<LinkRequest>('/sign-in/:token', { schema: { hide: true } }, async (request, reply) =>
    invitationPage(reply, await peek(request, reply)),
  );

  app.post<LinkRequest>('/sign-in/:token', { schema: { hide: true } }, async (request, reply) => {
    const password = request.body?.get('password') ?? '';
    const invitation = await peek(request, reply);
    const problem = passwordProblem(password, invitation.personEmail);
    if (problem !== undefined) {
      reply.code(400);
      return invitationPage(reply, invitation, problem);
    }
    const sender = limits.sender(request, reply, now);
    const session = await countingGuesses(request, reply, signIns.redeem(request.params.token, password, sender));
    return letIn(request, reply, session, '/');
  });
}
