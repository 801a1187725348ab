import type { FastifyReply, FastifyRequest } from 'fastify';
import { detailBody, type ErrorAnswer, jsonType } from '../errors.ts';
import { isInterfacePath, isPagePath, isProgramPath, readablePath } from '../known-paths.ts';
import { html, page } from './page.ts';

/** An error as JSON, as every program expects it; a page for a browser that came to where nothing is or sent a form. */
export function renderError({ status, detail }: ErrorAnswer, request: FastifyRequest, reply: FastifyReply): string {
  if (status === 404 && isBrowserAtNoOperation(request)) {
    return page(
      reply,
      'Nothing here · Plumb',
      html`<h1>There is nothing here</h1>
<p>${detail}</p>
<p><a href="/">Open the application</a>, or look into the <a href="/docs">reference</a>.</p>`,
    );
  }
  if (isFormOfBrowser(request)) {
    return page(
      reply,
      'Not done · Plumb',
      html`<h1>This was not done</h1>
<p>${detail}</p>
<p><a href="/">Open the application</a>.</p>`,
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
