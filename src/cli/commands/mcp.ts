import type { Command } from 'commander';
import type { ReadableAnswer } from '../../mcp/readable-answer.ts';
import type { ToolArguments } from '../../mcp/tool.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { ReopenedConnection } from '../reopened-connection.ts';
import { say } from '../terminal.ts';

interface McpOptions {
  readonly org: string;
  readonly as: string;
}

export function mcpCommand(context: Context): Command {
  return command('mcp', {
    summary: 'let an agent ask as one person: the Model Context Protocol on standard input and output',
    example: 'plumb mcp --org Acme --as ada@acme.example',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .requiredOption('--as <email>', 'email address of the person to ask as')
    .action(async ({ org, as, ...rest }: McpOptions & { readonly json?: boolean }) => {
      const { terminal } = context;
      if (rest.json) throw new Refusal('bad-input', 'plumb mcp speaks a protocol of its own: leave out --json.');
      const connection = new ReopenedConnection(settingsOf(context));
      const call = (name: string, given: ToolArguments): Promise<ReadableAnswer> =>
        connection.use(({ operations }) => operations.callTool({ org, as, name, arguments: given }));
      // A mistyped name is reported by this command, and not later by an agent.
      await call('list_teams', {});
      const { serveStdio } = await import('../../mcp/mcp-server.ts');
      await serveStdio(terminal, {
        call,
        onError: (error) => say(terminal, `Plumb failed: ${error instanceof Error ? error.stack : error}`),
      });
    });
}
