import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html } from '../../escaped-html.ts';
import { catalogue } from '../../query/date-details.ts';
import { jsonType } from '../errors.ts';
import { type KnownPaths, readablePath } from '../known-paths.ts';
import { builtFolder, webPolicy } from '../pages/built-pages.ts';
import { guideContent, readGuides } from '../reference/guides.ts';
import { indexPage, llmsText } from '../reference/index-page.ts';
import { metricPage } from '../reference/metric-page.ts';
import { type OpenApiDocument, operationsOf } from '../reference/openapi-document.ts';
import { operationPage } from '../reference/operation-page.ts';
import { withExampleDays } from '../reference/sample-questions.ts';

interface DocumentationParts {
  readonly now: () => Date;
  readonly paths: Pick<KnownPaths, 'missing'>;
  /** Where the pages were built to, where that is not beside the server. */
  readonly pagesFolder?: string | undefined;
}

/** Routes that a newcomer finds without a key: pages to read and to try things on, and documents for programs. */
export function documentationRoutes(app: FastifyInstance, { now, paths, pagesFolder }: DocumentationParts): void {
  const frame = readFrame(pagesFolder ?? builtFolder);
  const guides = readGuides();
  // Routes cannot change once the app listens, so neither can the document; only the days of its examples do.
  let written: string | undefined;
  const documentText = (): string => {
    written ??= `${JSON.stringify(app.swagger(), null, 2)}\n`;
    return withExampleDays(written, now());
  };
  const document = (): OpenApiDocument => JSON.parse(documentText()) as OpenApiDocument;

  const send = (reply: FastifyReply, title: string, content: Html): FastifyReply =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', webPolicy).send(frame(title, content));
  const serve = (path: string, answer: (name: string, reply: FastifyReply) => FastifyReply | undefined): void => {
    app.get<{ Params: { name?: string; '*'?: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
      const { name = request.params['*'] ?? '' } = request.params;
      const answered = answer(name, reply);
      if (!answered) throw paths.missing(readablePath(request.raw.url ?? '/'));
      return answered;
    });
  };

  serve('/docs', (_, reply) =>
    send(reply, 'Reference', indexPage(catalogue(), operationsOf(document()), guides.values())),
  );
  serve('/docs/metrics/:name', (name, reply) => {
    const metric = catalogue().metrics.find((one) => one.name === name);
    return metric && send(reply, metric.label, metricPage(metric, catalogue(), now()));
  });
  serve('/docs/operations/:name', (name, reply) => {
    const { components, ...described } = document();
    const operation = operationsOf({ components, ...described }).find(({ operationId }) => operationId === name);
    return operation && send(reply, operation.summary, operationPage(operation, components.schemas));
  });
  serve('/docs/guides/*', (name, reply) => {
    const guide = guides.get(name.replace(/\.md$/, ''));
    if (guide && name.endsWith('.md')) return reply.type('text/markdown; charset=utf-8').send(guide.text);
    return guide && send(reply, guide.title, guideContent(guide, guides));
  });
  serve('/llms.txt', (_, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(catalogue(), guides.values(), now())),
  );
  serve('/openapi.json', (_, reply) => reply.type(jsonType).send(documentText()));
}

/** Where the build has put styles and script of the reference; without a build the pages are there without both. */
function readFrame(folder: string): (title: string, content: Html) => string {
  const file = join(folder, 'docs.html');
  const frame = existsSync(file) ? readFileSync(file, 'utf8') : bareFrame;
  return (title, content) =>
    frame
      .replace(titlePlace, () => html`${title} · Plumb`.text)
      .replace(contentPlace, () => contentWithNavigation(content).text);
}

const titlePlace = '%title%';
const contentPlace = '<!--content-->';
const bareFrame = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${titlePlace}</title></head><body>${contentPlace}</body></html>
`;

const contentWithNavigation = (content: Html): Html => html`<header class="top">
<a class="home" href="/">Plumb</a>
<nav aria-label="Reference"><a href="/docs">Metrics</a> <a href="/docs#operations">Operations</a> <a href="/docs#guides">Guides</a> <a href="/openapi.json">OpenAPI</a></nav>
</header>
<main>
${content}
</main>`;
