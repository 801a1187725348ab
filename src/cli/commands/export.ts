import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportFormats } from '../../formats/answer-formats.ts';
import { alternatives } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { Progress } from '../progress.ts';
import { say, unlessUnread } from '../terminal.ts';

interface ExportCommandOptions {
  readonly org: string;
  readonly table: string;
  readonly format?: string;
  readonly out?: string;
  readonly records?: boolean;
  readonly json?: boolean;
}

export function exportCommand(context: Context): Command {
  return command('export', {
    summary: 'export all rows of a table, including derived columns',
    example: 'plumb export --org Acme --table pull_requests --out pull-requests.parquet',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .requiredOption('--table <table>', 'any table that records fill, or user_metrics')
    .option('--format <format>', `${alternatives(exportFormats)} (default: by the extension of FILE, else ndjson)`)
    .option('--out <file>', 'file to write, compressed if it ends in .gz (default: standard output)')
    .option('--records', 'only the fields that records bring, in the form that plumb import reads')
    .action((options: ExportCommandOptions) =>
      withConnection(context, options, async ({ operations }) => {
        // Loaded when it is needed, like everything that brings a database engine along.
        const { exportColumns, exportTable } = await import('../../ingest/export/export-columns.ts');
        const { formatOf, writeFile, writeRows } = await import('../export-file.ts');
        const { org, out } = options;
        const table = exportTable(options.table);
        const records = options.records === true;
        const columns = exportColumns(table, records);
        const format = formatOf(options.format, out);
        const progress = new Progress({
          screen: context.terminal.stderr,
          label: table,
          enabled: out !== undefined && !options.json,
        });
        const outgoing = {
          columns,
          rows: operations.exportRows({ org, table, records }),
          passed: (rows: number) => progress.update({ rows, bytesRead: 0 }),
        };
        if (out === undefined) {
          if (options.json) throw new Refusal('bad-input', 'With --json the rows need a file of their own: add --out.');
          if (format === 'parquet') throw new Refusal('bad-input', 'Parquet needs a file: add --out.');
          const rows = await writeRows(outgoing, format, context.terminal.stdout).catch(unlessUnread);
          if (rows !== undefined) say(context.terminal, `Wrote ${counted(rows)} of ${table}.`);
          return { json: null, text: '' };
        }
        const rows = await writeFile(outgoing, format, out);
        progress.finish({ rows });
        const file = resolve(out);
        return { json: { rows, file }, text: `Wrote ${counted(rows)} of ${table} to ${file}.` };
      }),
    );
}

const counted = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
