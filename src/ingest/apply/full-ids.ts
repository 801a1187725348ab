import {
  codeHosts,
  defaultHost,
  hostAmong,
  hostOf,
  type NumberedPlace,
  placeOfFullId,
  placeOfShortId,
  pullRequestId,
} from '../../catalogue/record-ids.ts';
import type { Row, Table } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { issues } from '../../catalogue/tables/issues.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import type { EarlierNames } from '../../directory/earlier-names.ts';
import { keyOf } from '../../text-comparison.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import type { RecordChange } from '../read/record-changes.ts';

/** The parts with which full ids are found. */
interface IdParts {
  readonly session: Pick<TableReader, 'select' | 'tally'>;
  readonly earlierNames: EarlierNames;
}

/** The column of a table that names a pull request or an issue, and the table that has those. */
export interface IdColumn {
  readonly column: string;
  readonly of: Table;
  /** The rows are these pull requests or issues themselves, and not parts of them. */
  readonly isOwn: boolean;
}

/** The column of a table whose ids can be short: its key, or the one that names its parent. */
export function idColumnOf(table: Table): IdColumn | undefined {
  const of: Table | undefined = table.parent ? factTables[table.parent.table as FactTable] : table;
  const column = of?.composedKey?.field;
  if (!of?.composedKey?.fieldsOfShort || column === undefined) return undefined;
  return { column, of, isOwn: of === table };
}

/**
 * Writes short ids out: `acme/web#7` becomes `github:acme/web#7`, with the source of its record, else that of the pull
 * request or the issue of this name, else that of the repository's rows, else the usual one. Every record knows those
 * before it, so that it does not matter in how many batches a file comes. Only where an id is short and its record names
 * no source is anything looked up.
 */
export async function writeOutIds(
  parts: IdParts,
  table: Table,
  changes: readonly RecordChange[],
  unwritten: () => Iterable<Row> = () => [],
): Promise<readonly RecordChange[]> {
  const id = idColumnOf(table);
  if (!id) return changes;
  const places = changes.map((change) => placeOfShortId(idIn(change, id)));
  if (places.every((place) => place === undefined)) return changes;
  const isOpen = (change: RecordChange) => sourceOf(change.fields) === undefined;
  const open = places.flatMap((place, i) => (place && changes[i] && isOpen(changes[i]) ? [place] : []));
  const hosts = new HostsOfRepositories(parts.earlierNames);
  if (open.length > 0) {
    await hosts.load(parts.session, id.of, open);
    for (const row of unwritten()) hosts.learnRow(row, id.of);
  }
  return changes.map((change, i) => {
    const place = places[i];
    if (place) {
      const host = sourceOf(change.fields) ?? hosts.hostOf(place);
      const written = writtenOut(change, id, place, host, parts.earlierNames);
      if (id.isOwn && !change.isDeleted) hosts.learnRow({ ...written.implied, ...written.fields } as Row, id.of);
      return written;
    }
    if (id.isOwn && !change.isDeleted) hosts.learnRow({ ...change.fields, ...change.key } as Row, id.of);
    return change;
  });
}

function writtenOut(
  { key, fields, ...change }: RecordChange,
  { column, of, isOwn }: IdColumn,
  place: NumberedPlace,
  host: string,
  names: EarlierNames,
): RecordChange {
  const id = pullRequestId(host, names.firstNameOf(host, place.repository), place.number);
  const repository = names.presentNameOf(host, place.repository);
  const implied = isOwn ? of.composedKey?.fieldsOfShort?.({ ...place, repository }) : {};
  return {
    ...change,
    key: column in key ? { ...key, [column]: id } : key,
    fields: { ...fields, [column]: id },
    implied: { source: host, ...implied },
  };
}

const idIn = ({ key, fields }: RecordChange, { column }: IdColumn): unknown => key[column] ?? fields[column];

const sourceOf = ({ source }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof source === 'string' && source.trim() !== '' ? hostOf(source.trim()) : undefined;

/** On which code hosts repositories are, as far as rows say. */
class HostsOfRepositories {
  readonly #names: EarlierNames;
  readonly #ofNumber = new Map<string, Set<string>>();
  readonly #ofRepository = new Map<string, Set<string>>();

  constructor(names: EarlierNames) {
    this.#names = names;
  }

  /** Reads what is stored of these pull requests or issues, and of their repositories. */
  async load(
    session: Pick<TableReader, 'select' | 'tally'>,
    of: Table,
    places: readonly NumberedPlace[],
  ): Promise<void> {
    const distinct = [...new Map(places.map((place) => [`${place.repository}#${place.number}`, place])).values()];
    const names = [...new Set(places.map(({ repository }) => repository))].flatMap((name) => this.#namesOf(name));
    const ids = distinct.flatMap(({ repository, number }) =>
      codeHosts.map((host) => pullRequestId(host, this.#names.firstNameOf(host, repository), number)),
    );
    const isIn = { column: 'repository_key', in: names };
    if (of === issues) {
      const keys = distinct.map(({ repository, number }) => `${repository}#${number}`);
      const where = {
        any: [
          { column: 'issue_id', in: ids },
          { column: 'issue_key', in: keys },
        ],
      };
      for (const row of await session.select(issues, ['issue_id', 'issue_key', 'source'], where)) {
        this.learnRow(row, issues);
      }
    } else {
      const numbers = distinct.flatMap(({ repository, number }) =>
        this.#namesOf(repository).map((name) => [name, number] as const),
      );
      const where = {
        any: [
          { column: 'pr_id', in: ids },
          { columns: ['repository_key', 'pr_number'], among: numbers },
        ],
      };
      for (const row of await session.select(pullRequests, ['pr_id', 'repository', 'pr_number', 'source'], where)) {
        this.learnRow(row, pullRequests);
      }
    }
    for (const table of [pullRequests, releaseDetails]) {
      for (const { source, repository_key } of await session.tally(table, ['source', 'repository_key'], isIn)) {
        if (source !== null && repository_key !== null) this.learnRepository(repository_key, hostOf(source));
      }
    }
  }

  /** A pull request or an issue, stored or not yet. Issues do not say where the pull requests of a repository are. */
  learnRow(row: Row, of: Table): void {
    const id = row[of.composedKey?.field ?? ''];
    const full = typeof id === 'string' ? placeOfFullId(id) : undefined;
    if (full && codeHosts.some((host) => host === full.host)) this.learnNumber(full, full.host);
    const host = sourceOf(row);
    if (host === undefined) return;
    const place = placeOfShortId(of === issues ? row.issue_key : `${row.repository}#${row.pr_number}`);
    if (place) this.learnNumber(place, host);
    if (typeof row.repository === 'string') this.learnRepository(row.repository, host);
  }

  learnNumber({ repository, number }: NumberedPlace, host: string): void {
    for (const name of this.#namesOf(repository)) addTo(this.#ofNumber, `${name}#${number}`, host);
  }

  learnRepository(repository: string, host: string): void {
    for (const name of this.#namesOf(repository)) addTo(this.#ofRepository, name, host);
  }

  hostOf({ repository, number }: NumberedPlace): string {
    const key = keyOf(repository);
    const found =
      hostAmong(this.#ofNumber.get(`${key}#${number}`) ?? []) ?? hostAmong(this.#ofRepository.get(key) ?? []);
    return found ?? defaultHost;
  }

  /** The names that rows of a repository may have: the given one, and the one of today on each code host. */
  #namesOf(repository: string): string[] {
    const present = codeHosts.map((host) => this.#names.presentNameOf(host, repository));
    const first = codeHosts.map((host) => this.#names.firstNameOf(host, repository));
    return [...new Set([repository, ...present, ...first].map(keyOf))];
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}
