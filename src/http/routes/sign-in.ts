import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Invitation, SignIns } from '../../access/sign-in.ts';
import { Refusal } from '../../refusal.ts';
import { baseUrlOf } from '../base-url.ts';
import { errorHandler } from '../errors.ts';
import { type Html, html, page } from '../page.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { RequestLog } from '../request-log.ts';

const formBytesMost = 4_096;
const nameMost = 100;
const suggestedName = 'My key';

export interface SignInParts {
  readonly signIns: Pick<SignIns, 'peek' | 'redeem'>;
  readonly limits: RateLimits;
  readonly log: RequestLog;
  readonly now: () => Date;
}

interface SignInRequest {
  Params: { readonly token: string };
  Body: URLSearchParams | undefined;
}

/** The pages behind a sign-in link: the one who has it makes their first key. Only the button uses the link up. */
export function signInRoutes(app: FastifyInstance, { signIns, limits, log, now }: SignInParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytesMost },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.setErrorHandler(
    errorHandler(log, ({ status, detail }, _request, reply) => {
      const heading = status === 404 ? 'This link does not work' : status >= 500 ? 'This did not work' : 'Not quite';
      const advice = status === 404 ? html`<p>Ask an owner of your organisation for a new link.</p>` : html``;
      return page(
        reply,
        heading,
        html`<h1>${heading}</h1><p>${status === 413 ? 'The form is too large.' : detail}</p>${advice}`,
      );
    }),
  );

  /** A link that does not work may be a guess, so it counts as one. */
  const countingGuesses = async <T>(request: FastifyRequest, reply: FastifyReply, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const isGuess = error instanceof Refusal && error.reason === 'not-found';
      throw (isGuess && limits.countWrong(request, reply, now())) || error;
    }
  };

  app.get<SignInRequest>('/sign-in/:token', { schema: { hide: true } }, async (request, reply) => {
    const invitation = await countingGuesses(
      request,
      reply,
      signIns.peek(request.params.token, limits.sender(request, reply, now)),
    );
    return form(reply, invitation, suggestedName, html``);
  });

  app.post<SignInRequest>('/sign-in/:token', { schema: { hide: true } }, async (request, reply) => {
    const name = request.body?.get('name')?.trim() ?? '';
    const problem = problemOf(name);
    if (problem !== undefined) {
      const invitation = await countingGuesses(
        request,
        reply,
        signIns.peek(request.params.token, limits.sender(request, reply, now)),
      );
      reply.code(400);
      return form(reply, invitation, name.slice(0, nameMost), html`<p class="bad" role="alert">${problem}</p>`);
    }
    const made = await countingGuesses(
      request,
      reply,
      signIns.redeem(request.params.token, name, limits.sender(request, reply, now)),
    );
    const curl = `curl -H 'Authorization: ${made.key}' ${baseUrlOf(request)}/teams`;
    return page(
      reply,
      'Your key',
      html`<h1>Your key for ${made.organisationName}</h1>
<p>Copy it now: it is shown this once and never again.</p>
<p class="key" id="key">${made.key}</p>
<p class="hint">It is called “${name}” and acts with your role. Whoever has it can do what you can: keep it like a password.</p>
<h2>Try it</h2>
<pre>${curl}</pre>
<p>Everything you can ask stands in the <a href="/docs">reference</a>.</p>`,
    );
  });
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'Give the key a name, so that you can tell it from others later.';
  if (name.length > nameMost) return `That name is too long: ${nameMost} characters at most.`;
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return 'That name contains a control character.';
  return undefined;
}

function form(reply: FastifyReply, { organisationName, personName }: Invitation, name: string, note: Html): string {
  return page(
    reply,
    `Sign in to ${organisationName}`,
    html`<h1>Welcome to ${organisationName}</h1>
<p>You are signing in as <strong>${personName}</strong>. Make your first API key: programs send it to read and change what you may.</p>
<form method="post">
<label for="name">Name of the key</label>
<input id="name" name="name" value="${name}" maxlength="${String(nameMost)}" autocomplete="off" required autofocus>
${note}
<button type="submit">Make the key</button>
</form>
<p class="hint">This link works once. If you are not ${personName}, close this page.</p>`,
  );
}
