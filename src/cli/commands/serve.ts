import type { Command } from 'commander';
import { settingMeanings } from '../../config.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { loadInParts } from '../command-connection.ts';
import { print } from '../terminal.ts';

export function serveCommand(context: Context): Command {
  const width = Math.max(...settingMeanings.map(([name]) => name.length));
  const meanings = settingMeanings.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join('\n');
  return command('serve', { summary: 'run the service', example: 'PLUMB_PORT=8080 plumb serve' })
    .option('--demo', 'fill an empty store with the demo organisations, and print a key and a first request')
    .addHelpText('after', `\nSettings, each also as NAME_FILE with the path of a file that holds it:\n${meanings}`)
    .action(async (options: { demo?: boolean; json?: boolean }) => {
      const settings = settingsOf(context);
      await loadInParts();
      const { startServer } = await import('../start-server.ts');
      const { welcome } = await import('../welcome.ts');
      // A person watches the demo, and came for the address, not for a log.
      const quiet = options.demo === true && context.terminal.environment.PLUMB_LOG === undefined;
      const server = await startServer(quiet ? { ...settings, logLevel: 'warn' } : settings, context.terminal);
      try {
        const greeting =
          options.demo === true ? await welcome(server, context.terminal, options.json === true) : undefined;
        const { publicUrl, url, adminUrl = null } = server;
        const json = { url: publicUrl, local_url: url, admin_url: adminUrl, pid: process.pid, ...greeting?.json };
        const text = greeting?.text ?? `Plumb is running at ${publicUrl}`;
        print(context.terminal, options.json === true, { json, text });
      } catch (error) {
        await server.stop();
        throw error;
      }
      await server.stopped;
    });
}
