import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenidAttempt, OpenidProvider } from '../../access/openid-provider.ts';
import type { OpenidSignIn } from '../../access/openid-sign-in.ts';
import type { OrganisationChoices, SignInOutcome } from '../../access/organisation-choices.ts';
import type { PasswordSignIn } from '../../access/password-sign-in.ts';
import { passwordProblem } from '../../access/passwords.ts';
import type { SignIns } from '../../access/sign-in-links.ts';
import type { BegunSession, Sessions } from '../../access/sign-in-sessions.ts';
import { Refusal } from '../../refusal.ts';
import { type Admission, principalOf } from '../admission/admission.ts';
import { type OwnAddress, OwnCookie } from '../admission/own-address.ts';
import { clientOf, type RateLimits } from '../admission/rate-limits.ts';
import { errorHandler } from '../errors.ts';
import type { RequestLog } from '../request-log.ts';
import { choicePage, invitationPage, problemPage, signInPage, signOutPage } from './sign-in-pages.ts';

const maxFormBytes = 8_192;

export interface SignInParts extends SignInLinkParts {
  readonly passwordSignIn: Pick<PasswordSignIn, 'signIn'>;
  readonly choices: Pick<OrganisationChoices, 'choose'>;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly openid: OpenidRouteParts['openid'] | undefined;
  readonly admission: Pick<Admission, 'sessionOf'>;
  readonly address: OwnAddress;
  readonly cookie: OwnCookie;
  readonly log: RequestLog;
}

interface FormRequest {
  Querystring: { readonly next?: string | string[] };
  Body: URLSearchParams | undefined;
}

/** The pages on which people sign in and out. They work without a script; only their buttons change anything. */
export function signInRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { passwordSignIn, choices, sessions, openid, admission, address, cookie, log } = parts;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.setErrorHandler(errorHandler(log, ({ status, detail }, _request, reply) => problemPage(reply, status, detail)));
  app.addHook('onRequest', (request, _reply, done) => {
    const isForm = request.method !== 'GET' && request.method !== 'HEAD';
    done(address.overheard(request) ?? (isForm ? address.foreignOrigin(request) : undefined));
  });

  const letIn: LetIn = (request, reply, { token }, next) => {
    cookie.set(request, reply, token);
    return reply.redirect(next, 303);
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, outcome: SignInOutcome, next: string) =>
    outcome.kind === 'signed-in'
      ? letIn(request, reply, outcome.session, next)
      : choicePage(reply, { ...outcome, next });
  const provider = openid?.provider.name;

  app.get<FormRequest>('/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const next = nextPath(request.query.next);
    if (await admission.sessionOf(request, reply)) return reply.redirect(next, 303);
    return signInPage(reply, { next, provider });
  });

  app.post<FormRequest>('/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const field = (name: string) => request.body?.get(name) ?? '';
    const next = nextPath(field('next'));
    const email = field('email').trim();
    try {
      const outcome = await passwordSignIn.signIn(email, field('password'), clientOf(request.ip));
      return answer(request, reply, outcome, next);
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'unauthenticated') throw error;
      reply.code(401);
      return signInPage(reply, { email, next, problem: error.message, provider });
    }
  });

  app.post<FormRequest>('/sign-in/organisation', { schema: { hide: true } }, async (request, reply) => {
    const field = (name: string) => request.body?.get(name) ?? '';
    const session = await choices.choose(field('choice'), field('organisation'));
    return letIn(request, reply, session, nextPath(field('next')));
  });

  app.get('/sign-out', { schema: { hide: true } }, async (_request, reply) => signOutPage(reply));

  app.post<FormRequest>('/sign-out', { schema: { hide: true } }, async (request, reply) => {
    if (await admission.sessionOf(request, reply)) {
      await sessions.end(principalOf(request), request.body?.get('everywhere') === 'true' ? 'everywhere' : 'here');
    }
    cookie.clear(request, reply);
    return reply.redirect('/sign-in', 303);
  });

  signInLinkRoutes(app, parts, letIn);
  if (openid) openidRoutes(app, { openid, address, answer });
}

interface SignInLinkParts {
  readonly signIns: Pick<SignIns, 'peek' | 'redeem'>;
  readonly limits: RateLimits;
  readonly now: () => Date;
}

/** Gives the person who has signed in their cookie, and the page that they wanted. */
type LetIn = (request: FastifyRequest, reply: FastifyReply, session: BegunSession, next: string) => FastifyReply;

interface LinkRequest {
  Params: { readonly token: string };
  Body: URLSearchParams | undefined;
}

/** The page behind a sign-in link: the one who has it chooses a password. Only the button uses the link up. */
function signInLinkRoutes(app: FastifyInstance, { signIns, limits, now }: SignInLinkParts, letIn: LetIn): void {
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

interface OpenidRouteParts {
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
function openidRoutes(app: FastifyInstance, { openid, address, answer }: OpenidRouteParts): void {
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
      throw new Refusal('bad-input', 'This sign-in was started in another browser, or too long ago. Start again.');
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

const longest = 4_000;

/** The page that a person wanted before they signed in: one of ours, whatever else the address may name. */
export function nextPath(asked: string | readonly string[] | undefined): string {
  if (typeof asked !== 'string' || asked.length > longest || !/^\/(?![/\\])/.test(asked)) return '/';
  const here = 'http://plumb.invalid';
  const url = URL.canParse(asked, here) ? new URL(asked, here) : undefined;
  if (!url || url.origin !== here || /^\/(?:[/\\]|sign-(?:in|out)(?:\/|$))/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}`;
}
