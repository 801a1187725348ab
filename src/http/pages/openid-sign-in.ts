import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenidAttempt, OpenidProvider } from '../../access/openid-provider.ts';
import type { OpenidSignIn } from '../../access/openid-sign-in.ts';
import type { SignInOutcome } from '../../access/organisation-choices.ts';
import { Refusal } from '../../refusal.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { OwnCookie } from '../admission/session-cookie.ts';
import { nextPath } from './next-path.ts';

export interface OpenidRouteParts {
  readonly openid: {
    readonly provider: Pick<OpenidProvider, 'name' | 'begin' | 'finish'>;
    readonly signIn: Pick<OpenidSignIn, 'signIn'>;
  };
  readonly address: OwnAddress;
  readonly answer: (
    request: FastifyRequest,
    reply: FastifyReply,
    outcome: SignInOutcome,
    next: string,
  ) => FastifyReply | string;
}

interface NextRequest {
  Querystring: { readonly next?: string | string[] };
}

const attemptSeconds = 600;
const callback = '/sign-in/openid/callback';

/** To the OpenID provider and back. What is checked on the way back waits in a cookie of this browser. */
export function openidRoutes(app: FastifyInstance, { openid, address, answer }: OpenidRouteParts): void {
  const { provider, signIn } = openid;
  const cookie = new OwnCookie('plumb_openid', attemptSeconds, address);
  const callbackFor = (request: FastifyRequest) => `${address.urlFor(request)}${callback}`;

  app.get<NextRequest>('/sign-in/openid', { schema: { hide: true } }, async (request, reply) => {
    const { url, attempt } = await provider.begin(callbackFor(request));
    const waiting: WaitingAttempt = { ...attempt, next: nextPath(request.query.next) };
    cookie.set(request, reply, Buffer.from(JSON.stringify(waiting)).toString('base64url'));
    return reply.redirect(url.href, 303);
  });

  // The one GET that changes something: the provider sends people back by it. State, nonce and PKCE, which only this
  // browser has, are to it what the Origin is to a form.
  app.get(callback, { schema: { hide: true } }, async (request, reply) => {
    const waiting = readAttempt(cookie.read(request));
    if (!waiting) {
      throw new Refusal('bad-input', 'This browser has not begun to sign in, or that was too long ago. Begin again.');
    }
    const query = (request.raw.url ?? '').split('?')[1] ?? '';
    const identity = await provider.finish(new URL(`${callbackFor(request)}?${query}`), waiting);
    cookie.clear(request, reply);
    return answer(request, reply, await signIn.signIn(identity), nextPath(waiting.next));
  });
}

interface WaitingAttempt extends OpenidAttempt {
  readonly next: string;
}

function readAttempt(value: string | undefined): WaitingAttempt | undefined {
  try {
    const { state, nonce, verifier, next } = JSON.parse(Buffer.from(value ?? '', 'base64url').toString());
    const isWhole = [state, nonce, verifier, next].every((part) => typeof part === 'string' && part !== '');
    return isWhole ? { state, nonce, verifier, next } : undefined;
  } catch {
    return undefined;
  }
}
