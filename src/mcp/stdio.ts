import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { mcpServer, type ToolCalls } from './server.ts';

/** Speaks on standard input and output until the input has ended and everything is answered. */
export async function serveStdio(
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
  { call, onError }: ToolCalls,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const server = mcpServer({
    onError,
    call: (name, given) => {
      const answer = call(name, given);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
  });
  const ended = finished(stdin, { writable: false }).catch(() => {});
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  do {
    await Promise.allSettled(underWay);
    // What was answered last is written in the next turn.
    await nextTurn();
  } while (underWay.size > 0);
  await server.close();
}
