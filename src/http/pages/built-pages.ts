import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../escaped-html.ts';
import { packageFolder } from '../../version.ts';
import type { Admission } from '../admission/admission.ts';
import type { OwnCookie } from '../admission/own-address.ts';
import { detailBody, type ErrorAnswer, jsonType } from '../errors.ts';
import { isInterfacePath, isPagePath, isProgramPath, readablePath } from '../known-paths.ts';
import { page } from './html-page.ts';
import { problemWords } from './sign-in-words.ts';

/** Every address that the application in the browser shows something at. */
export const pagePaths: readonly string[] = [
  '/',
  '/delivery',
  '/cycle-time',
  '/reviews',
  '/ai',
  '/ci',
  '/issues',
  '/people',
  '/people/:id',
  '/surveys',
  '/benchmarks',
  '/explore',
  '/goal',
  '/goal/:slug',
  '/annotation',
  '/board',
  '/board/:slug',
  '/pull-requests/:id',
  '/deployments/:id',
  '/ai-sessions/:id',
  '/settings',
  '/settings/keys',
  '/settings/notifications',
  '/settings/data-quality',
  '/settings/people',
  '/settings/connections',
  '/settings/organisation',
  '/settings/audit',
  '/settings/backup',
  '/welcome',
];

/** Scripts, styles and answers come from here and nowhere else, and nothing may be written into a page. */
export const webPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

interface PagesParts {
  readonly admission: Pick<Admission, 'sessionOf'>;
  /** Where the pages were built to, where that is not beside the server. */
  readonly pagesFolder?: string | undefined;
}

/** The application in the browser: its files, and one page for all of its addresses, for people who are signed in. */
export async function pagesRoutes(app: FastifyInstance, { admission, pagesFolder }: PagesParts): Promise<void> {
  const build = readWebBuild(pagesFolder ?? builtFolder);

  for (const path of pagePaths) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const wanted = request.raw.url ?? '/';
      if (!(await admission.sessionOf(request, reply))) {
        return reply.redirect(`/sign-in?next=${encodeURIComponent(wanted)}`, 303);
      }
      if (!build) return notBuilt(reply.code(503));
      return reply.type('text/html; charset=utf-8').header('content-security-policy', webPolicy).send(build.index);
    });
  }

  if (!build) return;
  await app.register(fastifyStatic, {
    root: build.assets,
    prefix: '/assets/',
    decorateReply: false,
    schemaHide: true,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    // A file that changes has another name.
    maxAge: '365d',
    immutable: true,
    setHeaders: (reply) => reply.setHeader('vary', 'Accept-Encoding'),
  });
}

const notBuilt = (reply: Parameters<typeof page>[0]): string =>
  page(
    reply,
    problemWords.inPlumb(problemWords.notBuilt),
    html`<h1>${problemWords.notBuilt}</h1>
<p>${problemWords.build}</p>
<p><a href="/docs">${problemWords.openReference}</a></p>`,
  );

/** The pages as they were built: one HTML file, and files with a hash of their contents in their names. */
interface WebBuild {
  readonly index: Buffer;
  readonly assets: string;
}

export const builtFolder: string = fileURLToPath(new URL('dist-web/', packageFolder));

/** Undefined where they were not built. What is built later is served after the next start. */
function readWebBuild(folder: string): WebBuild | undefined {
  const [index, assets] = [join(folder, 'index.html'), join(folder, 'assets')];
  return existsSync(index) && existsSync(assets) ? { index: readFileSync(index), assets } : undefined;
}

/**
 * Errors as JSON, as every program expects them; a page for a browser that came to where nothing is or sent a form.
 * A signed-in reader keeps the frame of the application, which says the same beside the search.
 */
export function errorRenderer(cookie: OwnCookie, pagesFolder: string | undefined) {
  const build = readWebBuild(pagesFolder ?? builtFolder);
  return (error: ErrorAnswer, request: FastifyRequest, reply: FastifyReply): string => {
    if (error.status === 404 && build && isBrowserAtNoOperation(request) && cookie.read(request)) {
      reply.type('text/html; charset=utf-8').header('content-security-policy', webPolicy);
      return build.index.toString();
    }
    return renderError(error, request, reply);
  };
}

function renderError({ status, detail }: ErrorAnswer, request: FastifyRequest, reply: FastifyReply): string {
  if (status === 404 && isBrowserAtNoOperation(request)) {
    return page(
      reply,
      problemWords.inPlumb(problemWords.noPage),
      html`<h1>${problemWords.noPage}</h1>
<p>${detail}</p>
<p><a href="/">${problemWords.openPlumb}</a> · <a href="/docs">${problemWords.openReference}</a></p>`,
    );
  }
  if (isFormOfBrowser(request)) {
    return page(
      reply,
      problemWords.inPlumb(problemWords.nothingChanged),
      html`<h1>${problemWords.nothingChanged}</h1>
<p>${detail}</p>
<p><a href="/">${problemWords.openPlumb}</a></p>`,
    );
  }
  reply.type(jsonType);
  return detailBody(detail);
}

/** The browser shows the answer to a form in place of the page that had it. */
const isFormOfBrowser = ({ method, headers, raw }: FastifyRequest): boolean =>
  method === 'POST' &&
  isPagePath(readablePath(raw.url ?? '/')) &&
  /^application\/x-www-form-urlencoded\b/.test(headers['content-type'] ?? '') &&
  acceptsPage(headers);

const acceptsPage = ({ accept = '' }: FastifyRequest['headers']): boolean => /\btext\/html\b/.test(accept);

/** Operations have one form of errors for every client. */
function isBrowserAtNoOperation({ method, headers, raw }: FastifyRequest): boolean {
  if (method !== 'GET' || !acceptsPage(headers)) return false;
  const path = readablePath(raw.url ?? '/');
  return !isInterfacePath(path) && !isProgramPath(path) && !isPagePath(path);
}
