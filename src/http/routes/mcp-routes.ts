import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callTool } from '../../mcp/all-tools.ts';
import type { ToolParts } from '../../mcp/tool.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import type { OwnAddress } from '../admission/own-address.ts';
import { abortOnDisconnect } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { detailBody, jsonType } from '../errors.ts';
import { noQuery } from '../openapi.ts';
import { holdsKey, keyInAddress } from '../question/question-parameters.ts';
import type { RequestLog } from '../request-log.ts';

interface McpRouteParts extends ToolParts {
  readonly address: OwnAddress;
  readonly long: LongAnswers;
  readonly log: RequestLog;
}

/**
 * The Model Context Protocol over HTTP. Each message is a request of its own, so that keys, limits, row security and the
 * audit log are those of every other operation.
 */
export function mcpRoutes(app: FastifyInstance, parts: McpRouteParts): void {
  const { address, long, log } = parts;

  /** Only browsers send an Origin, and a page of another site has no business here. */
  const refuseForeignPages = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    if (holdsKey(request.raw.url ?? '')) done(keyInAddress);
    else done(request.headers.origin === undefined ? undefined : address.foreignOrigin(request));
  };

  app.post(
    '/mcp',
    // Hidden, since its messages are described by the protocol: what can be asked is in `tools/list`.
    { onRequest: refuseForeignPages, config: { takesBearer: true }, schema: { hide: true, querystring: noQuery } },
    (request, reply) =>
      abortOnDisconnect(request, reply, async (ticket) => {
        const principal = principalOf(request);
        if (Array.isArray(request.body)) throw oneAtATime;
        // Loaded when the first agent comes: most servers never see one.
        const { exchangeMessage } = await import('../../mcp/mcp-server.ts');
        const version = request.headers['mcp-protocol-version'];
        const { status, body } = await exchangeMessage(request.body, [version].flat()[0], {
          call: (name, given) => callTool(parts, { principal, ticket }, name, given),
          onError: (error) => {
            if (!ticket.signal.aborted) log.fault(request, error);
          },
        });
        ticket.signal.throwIfAborted();
        reply.code(status);
        if (body.length === 0) return reply.send();
        return long.sendBytes(request, reply.type(jsonType), status < 400 ? body : detailOf(body), principal);
      }),
  );
}

const oneAtATime = new Refusal('bad-input', 'Send one message at a time: the body must be an object, not a list.');

/** A message that is none is refused in the form of every other error. */
function detailOf(body: Buffer): Buffer {
  const { error } = JSON.parse(body.toString('utf8')) as { error?: { message?: string } };
  return Buffer.from(detailBody(`${error?.message ?? 'The message could not be read'}.`));
}
