import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ReadableAnswer } from '../../src/mcp/readable-answer.ts';

/** The official client, connected as an agent would be. */
export interface ConnectedAgent {
  readonly client: Client;
  /** The answer of a tool. Throws where it is an error. */
  ask(tool: string, given?: Record<string, unknown>): Promise<ReadableAnswer>;
  /** The words of a tool's error. */
  refused(tool: string, given?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export const connectByHttp = (url: string, authorization: string): Promise<ConnectedAgent> => {
  const requestInit = { headers: { authorization } };
  // Its optional fields may be undefined, which its own interface does not say.
  return connectAgent(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as Transport);
};

export async function connectAgent(transport: Transport): Promise<ConnectedAgent> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // With the schemas of tools the client checks what they answer.
  await client.listTools();
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
    const [content] = result.content;
    return { ...result, text: content?.type === 'text' ? content.text : '' };
  };
  return {
    client,
    async ask(tool, given) {
      const { isError, text, structuredContent } = await call(tool, given);
      if (isError) throw new Error(text);
      const answer = structuredContent as ReadableAnswer;
      const { rows, total_rows } = JSON.parse(text) as ReadableAnswer;
      // Who knows only text reads the same, or the beginning of it.
      if (
        JSON.stringify(rows) !== JSON.stringify(answer.rows.slice(0, rows.length)) ||
        total_rows !== answer.total_rows
      )
        throw new Error('The text differs from the structured content.');
      return answer;
    },
    async refused(tool, given) {
      const { isError, text } = await call(tool, given);
      if (!isError) throw new Error(`${tool} was answered: ${text.slice(0, 200)}`);
      return text;
    },
    close: () => client.close(),
  };
}
