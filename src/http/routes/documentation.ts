import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { baseUrlOf } from '../base-url.ts';
import { jsonType } from '../errors.ts';
import { html, page } from '../page.ts';

/** The reference page styles elements from its script; scripts and everything else come from here and nowhere else. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** What a newcomer finds: a first page, the reference to read, and the document to generate a client from. */
export async function documentationRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: referencePolicy,
    theme: { title: 'Plumb: reference' },
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // Another site's badge would tell it who reads this page.
      validatorUrl: null,
    },
  });

  // Routes cannot change once the app listens, so neither can the document.
  let document: Buffer | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= Buffer.from(`${JSON.stringify(app.swagger(), null, 2)}\n`);
    return reply.type(jsonType).send(document);
  });

  app.get('/', { schema: { hide: true } }, async (request, reply) =>
    page(
      reply,
      'Plumb',
      html`<h1>Engineering metrics, on your own machine</h1>
<p>This is a Plumb server. Programs ask it for metrics, who is onboarded and which teams there are, and send it what happened.</p>
<h2>Ask it</h2>
<p>Send your API key alone in the header <code>Authorization</code>:</p>
<pre>curl -H 'Authorization: YOUR_KEY' ${baseUrlOf(request)}/teams</pre>
<p class="hint">No key yet? Ask an owner of your organisation for a sign-in link.</p>
<h2>Read on</h2>
<p><a href="/docs">Reference</a> of every operation, to read and to try<br><a href="/openapi.json">OpenAPI document</a>, to generate a client from</p>`,
    ),
  );
}
