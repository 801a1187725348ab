import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { mcpServer, type ToolCalls } from './server.ts';

/** What is answered to one message over HTTP. */
interface McpResponse {
  readonly status: number;
  /** Empty where there is nothing to say, as to a notification. */
  readonly body: Buffer;
}

const json = 'application/json';

/** Answers one message over HTTP. Nothing is remembered between two of them. */
export async function exchangeMessage(
  message: unknown,
  protocolVersion: string | undefined,
  calls: ToolCalls,
): Promise<McpResponse> {
  const server = mcpServer(calls);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    // Every answer is one JSON document, so a client that takes JSON alone, such as curl, is answered too.
    const headers = { accept: `${json}, text/event-stream`, 'content-type': json };
    const request = new Request('http://plumb/mcp', {
      method: 'POST',
      headers: protocolVersion === undefined ? headers : { ...headers, 'mcp-protocol-version': protocolVersion },
    });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  } finally {
    await server.close();
  }
}
