import type { Command } from 'commander';
import { valueLabel } from '../../catalogue/labels/shown-names.ts';
import { tableLabel } from '../../catalogue/labels/table-labels.ts';
import type { OrganisationStatus } from '../../control/organisation-status.ts';
import { version } from '../../version.ts';
import { type Context, command, withConnection } from '../command.ts';
import { minuteText, never, outcomeInWords, tableHeads } from '../table-words.ts';
import { columns } from '../terminal.ts';

export function statusCommand(context: Context): Command {
  return command('status', {
    summary: 'show data freshness, the state of sources, and how much data there is',
    example: 'plumb status --org Acme',
  })
    .option('--org <org>', 'only this organisation, by identifier or name, with every table')
    .action((options: { org?: string; json?: boolean }) =>
      withConnection(context, options, async ({ operations, server }, { folder }) => {
        const { org } = options;
        const organisations = await operations.showStatus(org === undefined ? {} : { org });
        const json = { version, server: server ?? null, folder, organisations };
        const running = server
          ? `Plumb ${version} is running at ${server.url} (process ${server.pid}).`
          : `Plumb ${version}. No server is running on ${folder}.`;
        const shown = org === undefined ? overview(organisations) : organisations.map(detailsOf).join('\n\n');
        return { json, text: `${running}\n\n${shown}` };
      }),
    );
}

const rowsOf = ({ tables }: OrganisationStatus): number => tables.reduce((sum, { rows }) => sum + rows, 0);
const digits = (value: number): string => value.toLocaleString('en');
const counted = (count: number, one: string, many: string): string => `${digits(count)} ${count === 1 ? one : many}`;
const minute = (at: string | null): string => (at === null ? '-' : minuteText(at));

function overview(organisations: readonly OrganisationStatus[]): string {
  if (organisations.length === 0) return 'There are no organisations yet: make one with `plumb org create`.';
  const rows = organisations.map((one) => {
    const failing = one.sources.filter(({ error }) => error !== null).length;
    return [
      one.name,
      digits(one.people),
      digits(one.onboarded),
      digits(rowsOf(one)),
      minute(one.data_through),
      `${one.sources.length}${failing > 0 ? `, ${failing} failing` : ''}`,
    ];
  });
  return columns(tableHeads.statuses, rows);
}

function detailsOf(one: OrganisationStatus): string {
  const { name, id, people, onboarded, teams, data_through, last_backup_at } = one;
  const tables = one.tables.map(({ table, rows, newest_record_at: at, data_through: through }) => [
    tableLabel(table),
    digits(rows),
    minute(at),
    minute(through),
  ]);
  return [
    `${name} (${id})`,
    `${counted(people, 'person', 'people')}, ${digits(onboarded)} of them in metrics, ${counted(teams, 'team', 'teams')}, ${counted(rowsOf(one), 'row', 'rows')}.`,
    `Data through ${minute(data_through)}. Last backup: ${last_backup_at === null ? 'never' : minute(last_backup_at)}.`,
    '',
    sourcesText(one),
    ...(tables.length === 0 ? [] : ['', columns(tableHeads.tables, tables)]),
    ...(one.unreached_receivers === 0
      ? []
      : [
          '',
          `Messages don’t reach ${counted(one.unreached_receivers, 'receiver', 'receivers')}. See \`plumb doctor\`.`,
        ]),
    ...(one.stale.length === 0 ? [] : ['', ...one.stale.map(staleText)]),
  ].join('\n');
}

const staleText = ({ table, since, source }: OrganisationStatus['stale'][number]): string =>
  source === null
    ? `${tableLabel(table)}: nothing new since ${minute(since)}. No source reads it: see what sends or imports its records.`
    : `${source} hasn’t sent anything for ${tableLabel(table).toLowerCase()} since ${minute(since)}. See \`plumb source check\`.`;

function sourcesText({ sources }: OrganisationStatus): string {
  if (sources.length === 0) return 'No source is connected.';
  const rows = sources.map(({ name, kind, last_sync_at, outcome, is_syncing, error, to_do }) => [
    name,
    valueLabel('source', kind),
    last_sync_at === null ? never : minuteText(last_sync_at),
    [...(is_syncing ? ['Syncing'] : []), ...(outcome === null ? [] : [outcomeInWords(outcome)])].join(', ') || '-',
    error === null ? '' : `${error}. ${to_do ?? ''}`.trim(),
  ]);
  return columns(tableHeads.sourceStates, rows);
}
