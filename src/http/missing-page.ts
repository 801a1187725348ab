import type { FastifyReply, FastifyRequest } from 'fastify';
import { detailBody, type ErrorAnswer, jsonType } from './errors.ts';
import { isInterfacePath, isPagePath, isProgramPath, readablePath } from './known-paths.ts';
import { html, page } from './page.ts';

/** An error as JSON, as every program expects it; a page for somebody whose browser came to where nothing is. */
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
  reply.type(jsonType);
  return detailBody(detail);
}

/** Operations have one form of errors, whoever asks. */
function isBrowserAtNoOperation({ method, headers, raw }: FastifyRequest): boolean {
  if (method !== 'GET' || !/\btext\/html\b/.test(headers.accept ?? '')) return false;
  const path = readablePath(raw.url ?? '/');
  return !isInterfacePath(path) && !isProgramPath(path) && !isPagePath(path);
}
