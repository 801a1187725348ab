import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { principalOf } from '../admission.ts';
import { noQuery } from '../openapi.ts';
import { type LiveEventParts, LiveEvents } from './live-events.ts';

/** Server-sent events: they last for as long as a page is open, its session lives and the service runs. */
export function eventRoutes(app: FastifyInstance, parts: LiveEventParts): void {
  const live = new LiveEvents(parts);
  app.addHook('preClose', (done) => {
    live.close();
    done();
  });

  // A HEAD request would wait for an end that never comes.
  const options = { exposeHeadRoute: false, schema: { hide: true, querystring: noQuery } };
  app.get('/app/events', options, (request, reply) => {
    const principal = principalOf(request);
    live.refuseMany(principal);
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': 'text/event-stream' };
    reply.hijack();
    // It lasts for hours and costs next to nothing: it is none of the requests that wait for an answer.
    request.visit?.leave();
    reply.raw.writeHead(200, { ...headers, 'x-accel-buffering': 'no' });
    live.add(principal, reply.raw);
  });
}
