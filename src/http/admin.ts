import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { securityHeaders } from './admission/response-headers.ts';
import type { Drain } from './drain.ts';
import { errorHandler } from './errors.ts';
import { KnownPaths, readablePath, routableUrl } from './known-paths.ts';
import type { PrometheusMetrics } from './prometheus.ts';
import { RequestLog, requestIdOf } from './request-log.ts';
import { healthRoutes } from './routes/health-routes.ts';

interface AdminParts {
  readonly prometheus: PrometheusMetrics;
  readonly drain: Drain;
  readonly ready: () => Promise<void>;
  readonly logger: FastifyBaseLogger;
}

/** The app for operators, on a port of its own: Prometheus metrics and health checks, and no key for either. */
export async function buildAdminApp({ prometheus, drain, ready, logger }: AdminParts): Promise<FastifyInstance> {
  const log = new RequestLog(logger, undefined);
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestIdOf,
    rewriteUrl: routableUrl,
    frameworkErrors: errorHandler(log),
    return503OnClosing: false,
    requestTimeout: 30_000,
    connectionTimeout: 120_000,
  });
  app.setErrorHandler(errorHandler(log));
  const paths = new KnownPaths(app);
  app.addHook('onRequest', (request, reply, done) => {
    log.arrived(request, reply);
    reply.headers(securityHeaders).header('x-request-id', request.id);
    done(request.is404 ? paths.refusal(request.method, readablePath(request.raw.url ?? '/')) : undefined);
  });
  app.get('/metrics', async (_request, reply) => reply.type(prometheus.contentType).send(await prometheus.text()));
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  healthRoutes(app, { drain, ready });
  await app.ready();
  return app;
}
