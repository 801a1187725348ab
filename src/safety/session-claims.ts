import type { Store } from '../store/store.ts';
import type { Reading, Warehouse } from '../warehouse/warehouse.ts';
import { type Diagnosis, type Judgement, ok, warning } from './diagnosis.ts';

/** Sessions of coding agents that are not counted as whoever sent them meant it, by identifier. */
export interface SessionClaims {
  readonly leftOut: readonly string[];
  readonly disputed: readonly string[];
}
export type FindClaims = (session: Reading) => Promise<SessionClaims>;

/** Identifiers that are shown; the others are counted. */
const shownMost = 20;

/** Looks for such sessions in the tables of every organisation. */
export async function examineClaims(store: Store, warehouse: Warehouse, find: FindClaims): Promise<Diagnosis> {
  const organisations = await store.read((session) =>
    session.rows<{ id: string; name: string }>('SELECT id, name FROM organisations ORDER BY name, id'),
  );
  const found: ClaimsOf[] = [];
  for (const { id, name } of organisations) {
    if (!warehouse.holds(id)) continue;
    const claims = await warehouse.read(id, find, { lane: 'heavy' }).catch(() => undefined);
    found.push({ organisation: name, claims });
  }
  return { name: 'sessions', ...judgeClaims(found) };
}

/** Nothing is known of tables that cannot be read. `plumb verify` says what is wrong with them. */
interface ClaimsOf {
  readonly organisation: string;
  readonly claims: SessionClaims | undefined;
}

export function judgeClaims(found: readonly ClaimsOf[]): Judgement {
  const sentences = found.flatMap(({ organisation, claims }) =>
    claims ? sentencesOf(organisation, claims) : [`${organisation}: its tables cannot be read. See \`plumb verify\`.`],
  );
  return sentences.length === 0 ? ok('every session counts as it was sent') : warning(sentences.join(' '));
}

function sentencesOf(organisation: string, { leftOut, disputed }: SessionClaims): string[] {
  return [
    ...(leftOut.length > 0
      ? [
          `${organisation}: left out of AI shares, because they claim a commit of somebody else: ${listed(leftOut)}. Where they are right, an Owner can import them, or add the account of the commit to their engineer.`,
        ]
      : []),
    ...(disputed.length > 0
      ? [
          `${organisation}: refused, because a second engineer sent them under an identifier that is taken: ${listed(disputed)}. See that every machine sends with the key of its engineer.`,
        ]
      : []),
  ];
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, shownMost).map((id) => `'${id}'`);
  const more = ids.length > shownMost ? ` and ${ids.length - shownMost} more` : '';
  return `${ids.length === 1 ? 'session' : 'sessions'} ${shown.join(', ')}${more}`;
}
