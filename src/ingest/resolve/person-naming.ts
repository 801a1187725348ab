import type { Row, Table, Value } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/tables.ts';
import { anyCodeHost, type NamedPerson, type Resolver } from './resolver.ts';

/** Tables whose rows name a person themselves. */
export const namingTables: readonly FactTable[] = factTableNames.filter(
  (name) => (factTables[name] as Table).naming !== undefined,
);

/** The columns by which a row names its person. */
export const namingColumns = ({ naming }: Table): readonly string[] =>
  naming ? ['given_merged_user_id', 'source', 'person_login', naming.email, 'person_is_bot'] : [];

/** The columns that say who was found. */
export const foundPersonColumns = ['merged_user_id', 'is_bot', 'actor'] as const;

/** A blank name names nobody. */
const text = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export function namedPerson({ naming }: Table, row: Row): NamedPerson {
  const [source, login] = [text(row.source), text(row.person_login)];
  return {
    linked: text(row.given_merged_user_id),
    source: naming?.onAnyCodeHost && login !== null ? (source ?? anyCodeHost) : source,
    login,
    email: text(naming && row[naming.email]),
    saysBot: typeof row.person_is_bot === 'boolean' ? row.person_is_bot : null,
  };
}

interface KnownPeople {
  readonly resolver: Resolver;
  readonly bots: ReadonlySet<string>;
}

/** Sets the person of a row. */
export function identify(table: Table, row: Record<string, Value>, { resolver, bots }: KnownPeople): void {
  const { merged_user_id, is_bot, actor } = resolver.resolve(namedPerson(table, row), bots);
  row.merged_user_id = merged_user_id;
  row.is_bot = is_bot;
  row.actor = actor;
}
