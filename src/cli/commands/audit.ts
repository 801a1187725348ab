import type { Command } from 'commander';
import { actionInWords, actorInWords, detailsInWords } from '../../audit-words.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { minuteText, tableHeads } from '../table-words.ts';
import { columns } from '../terminal.ts';

export function auditCommand(context: Context): Command {
  return command('audit', {
    summary: 'show who changed, imported, exported or read what, newest first',
    example: 'plumb audit --org Acme --limit 20',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .option('--limit <number>', 'how many entries', '50')
    .action((options: { org: string; limit: string; json?: boolean }) =>
      withConnection(context, options, async ({ operations }) => {
        const limit = Number(options.limit);
        if (!Number.isSafeInteger(limit) || limit < 1) {
          throw new Refusal('bad-input', `The limit must be a whole number from 1 up, not '${options.limit}'.`);
        }
        const entries = await operations.listAudit({ org: options.org, limit });
        const rows = entries.map(({ at, via, actor, action, subject, details }) => [
          minuteText(at),
          actorInWords(actor, via),
          actionInWords(action),
          subject,
          detailsInWords(details, { time: minuteText, day: (day) => day }),
        ]);
        return { json: entries, text: columns(tableHeads.audit, rows) };
      }),
    );
}
