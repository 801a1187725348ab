import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../escaped-html.ts';
import type { StopLinks } from '../../messages/stop-links.ts';
import { Refusal } from '../../refusal.ts';
import type { RateLimits } from '../admission/rate-limits.ts';
import { errorHandler } from '../errors.ts';
import type { RequestLog } from '../request-log.ts';
import { page } from './html-page.ts';
import { stopWords as words } from './sign-in-words.ts';

export interface StopRouteParts {
  readonly stopLinks: Pick<StopLinks, 'peek' | 'stop'>;
  readonly limits: RateLimits;
  readonly log: RequestLog;
  readonly now: () => Date;
}

interface StopRequest {
  Params: { readonly token: string };
}

/** What a form or a mail program sends says nothing: the address does. */
const maxFormBytes = 8_192;

/**
 * The page behind the link of a mail. Opening it changes nothing, since programs that look through mails open links. Its
 * button stops, and so does the request that mail programs send by themselves (RFC 8058): the token alone may do it,
 * without a session and from any origin.
 */
export function stopRoutes(app: FastifyInstance, { stopLinks, limits, log, now }: StopRouteParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, _body, done) => done(null));
  app.setErrorHandler(errorHandler(log, ({ status, detail }, _request, reply) => problemPage(reply, status, detail)));

  /** A link that does not work may be a guess, so it counts as one. */
  const counted = async <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
    const refusal = limits.countKeyless(request, reply, now());
    if (refusal) throw refusal;
    try {
      return await work();
    } catch (error) {
      const isGuess = error instanceof Refusal && error.reason === 'not-found';
      throw (isGuess && limits.countWrong(request, reply, now())) || error;
    }
  };

  app.get<StopRequest>('/stop/:token', { schema: { hide: true } }, async (request, reply) => {
    const { origin, organisationName, address, isStopped } = await counted(request, reply, () =>
      stopLinks.peek(request.params.token),
    );
    if (isStopped) return stoppedPage(reply, origin.kind, origin.slug);
    return page(
      reply,
      words.stop(origin.kind),
      html`<h1>${words.ask(origin.kind)}</h1>
<p>${words.about(origin.slug, address, organisationName)}</p>
<form method="post">
<button type="submit">${words.stop(origin.kind)}</button>
</form>
<p class="hint">${words.onlyYou}</p>`,
    );
  });

  app.post<StopRequest>('/stop/:token', { schema: { hide: true } }, async (request, reply) => {
    const { origin } = await counted(request, reply, () => stopLinks.stop(request.params.token));
    return stoppedPage(reply, origin.kind, origin.slug);
  });
}

const stoppedPage = (reply: FastifyReply, kind: 'alert' | 'digest', slug: string): string =>
  page(reply, words.stopped, html`<h1>${words.stopped}</h1><p>${words.again(kind, slug)}</p>${openPlumb}`);

function problemPage(reply: FastifyReply, status: number, detail: string): string {
  const heading = status === 404 ? words.deadLink : words.notStopped;
  return page(reply, heading, html`<h1>${heading}</h1><p>${status === 404 ? words.gone : detail}</p>${openPlumb}`);
}

const openPlumb: Html = html`<p><a class="button" href="/">${words.open}</a></p>`;
