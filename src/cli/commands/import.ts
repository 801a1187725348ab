import { type Command, Option } from 'commander';
import { isRecordTable, noSuchTable, type RecordTable, recordTableNames } from '../../catalogue/record-tables.ts';
import { type DayOrder, dayOrders } from '../../ingest/read/foreign/foreign-times.ts';
import { Refusal } from '../../refusal.ts';
import { assignments, type Context, collected, command, definedOnly, withConnection } from '../command.ts';
import { exitCode } from '../exit-code.ts';

const mapForm = '--map THEIRS=OURS, or --map THEIRS= to leave the column out';
const setForm = '--set FIELD=VALUE';

interface ImportCommandOptions {
  readonly org: string;
  readonly table: string;
  readonly strict?: boolean;
  readonly map?: readonly string[];
  readonly set?: readonly string[];
  readonly dates?: DayOrder;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function importCommand(context: Context): Command {
  return command('import', {
    summary: 'import records from files into an organisation (importing a file twice changes nothing)',
    example: 'plumb import --org Acme --table pull_requests export.csv --map "Reviewer="',
  })
    .requiredOption('--org <org>', 'identifier or name of the organisation')
    .requiredOption('--table <table>', `what the records are: ${recordTableNames.join(', ')}`)
    .option('--strict', 'all or nothing: import no record if one is bad')
    .option(
      '--map <theirs=ours>',
      'what a column is called here, or --map theirs= to leave it out (may be repeated)',
      collected,
    )
    .option('--set <field=value>', 'value of every record that has none of its own (may be repeated)', collected)
    .addOption(
      new Option('--dates <order>', 'what comes first in days such as 12/03/26: the day or the month').choices(
        dayOrders,
      ),
    )
    .option('--dry-run', 'show what would happen, and import nothing')
    .argument(
      '<files...>',
      '.ndjson, .jsonl, .json or .csv, each also with .gz, or .parquet, or - for standard input (NDJSON)',
    )
    .action((paths: string[], options: ImportCommandOptions) =>
      withConnection(context, options, async (connection) => {
        const table = tableNamed(options.table);
        // Loaded when it is needed, like everything that brings a database engine along.
        const { importFiles } = await import('../import-files.ts');
        const { org, strict, json, dates, dryRun } = options;
        const [map, set] = [assignments(options.map ?? [], mapForm), assignments(options.set ?? [], setForm)];
        const target = { org, table, map, set, ...definedOnly({ strict, json, dates, dryRun }) };
        const tally = await importFiles(context, connection, target, paths);
        if (tally.rejected > 0) context.exitWith(tally.accepted > 0 ? exitCode.partlyDone : exitCode.failed);
        const { accepted, rejected, people } = tally;
        const taken = `${dryRun ? 'Would accept' : 'Accepted'} ${accepted} of ${accepted + rejected} records.`;
        if (dryRun) return { json: { accepted, rejected, dry_run: true }, text: `${taken} Nothing was imported.` };
        if (table !== 'people') return { json: { accepted, rejected }, text: taken };
        const onboarded = [...people.values()].filter((isOnboarded) => isOnboarded).length;
        const not_onboarded = people.size - onboarded;
        return {
          json: { accepted, rejected, onboarded, not_onboarded },
          text: `${taken} Of these people ${onboarded} ${onboarded === 1 ? 'is' : 'are'} in metrics and ${not_onboarded} ${not_onboarded === 1 ? 'is' : 'are'} not.`,
        };
      }),
    );
}

function tableNamed(name: string): RecordTable {
  if (isRecordTable(name)) return name;
  if (name === 'user_metrics') {
    throw new Refusal('bad-input', 'user_metrics is put together from the directory: import people.');
  }
  throw new Refusal('bad-input', noSuchTable(name));
}
