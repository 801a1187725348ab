import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../refusal.ts';
import type { Drain } from '../drain.ts';
import { answeredToAll, refused } from '../openapi.ts';

const readyWithinMs = 5_000;

interface HealthParts {
  readonly drain: Drain;
  /** Throws when the service cannot work, because its store or its tables are away for example. */
  readonly ready: () => Promise<void>;
}

const live = { status: 'ok' } as const;
const ready = { status: 'ready' } as const;
const status = Type.Object({ status: Type.String() }, { title: 'Status' });

export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  app.get(
    '/livez',
    {
      config: { isProbe: true },
      schema: {
        operationId: 'live',
        summary: 'Whether the process lives',
        description: 'Answers for as long as the process lives, also under load and while it shuts down.',
        tags: ['Health'],
        security: [],
        response: {
          200: answeredToAll('It lives.', status, { live }),
          ...refused([405], { 405: "'/livez' does not take POST. It takes GET, HEAD." }),
        },
      },
    },
    async () => live,
  );

  app.get(
    '/readyz',
    {
      config: { isProbe: true },
      schema: {
        operationId: 'ready',
        summary: 'Whether requests can be answered',
        description: 'Whether the store and the tables can be reached and the service is not shutting down.',
        tags: ['Health'],
        security: [],
        response: {
          200: answeredToAll('Requests can be answered.', status, { ready }),
          ...refused([405, 503], {
            405: "'/readyz' does not take POST. It takes GET, HEAD.",
            503: 'The service is shutting down.',
          }),
        },
      },
    },
    async () => {
      if (parts.drain.isDraining)
        throw new Refusal('unavailable', 'The service is shutting down.', { retryAfterSeconds: 5 });
      await withinTime(parts.ready()).catch((error) => {
        // A load balancer must send nobody here, whatever the reason. Callers without a key do not learn the reason.
        throw new Refusal('unavailable', 'The store or the tables cannot be reached.', {
          retryAfterSeconds: 5,
          ...hintsOf(error),
        });
      });
      return ready;
    },
  );
}

const hintsOf = (error: unknown): Refusal['hints'] => (error instanceof Refusal ? error.hints : {});

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('not ready in time')), readyWithinMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
