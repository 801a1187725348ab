import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonType } from '../errors.ts';

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

/** What a newcomer finds: the reference to read, and the document to generate a client from. */
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
}
