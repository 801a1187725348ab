import type { Row } from '../../catalogue/table.ts';
import { anyCodeHost, type Named, type Resolver } from './resolver.ts';

/** The columns that say whose a row is. Sessions call the address by another name. */
export const namingColumns = [
  'given_merged_user_id',
  'source',
  'person_login',
  'person_email',
  'person_is_bot',
] as const;

/** A blank name names nobody. */
const text = (value: Row[string] | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export function namedBy(row: Row): Named {
  const [source, login] = [text(row.source), text(row.person_login)];
  const isSession = 'engineer_email' in row;
  return {
    linked: text(row.given_merged_user_id),
    source: isSession && login !== null ? (source ?? anyCodeHost) : source,
    login,
    email: text(row.person_email ?? row.engineer_email),
    saysBot: typeof row.person_is_bot === 'boolean' ? row.person_is_bot : null,
  };
}

interface Identified {
  merged_user_id: string | null;
  is_bot: boolean | null;
  actor: string | null;
}

interface Known {
  readonly resolver: Resolver;
  readonly bots: ReadonlySet<string>;
}

/** Sets the person of a row. */
export function identify(row: Row & Identified, { resolver, bots }: Known): void {
  const { merged_user_id, is_bot, actor } = resolver.resolve(namedBy(row), bots);
  row.merged_user_id = merged_user_id;
  row.is_bot = is_bot;
  row.actor = actor;
}
