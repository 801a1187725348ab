import { peopleCopy } from '../../catalogue/directory-copies.ts';
import { integer, sql } from '../sql/sql.ts';
import { type Moment, tableAsOf } from './as-of.ts';
import { statementFor } from './statement.ts';
import type { Lines } from './table-reading.ts';

/** More than these are looked up by each statement: the list would be long. */
const maxNamed = 1_000;
const maxOrganisations = 1_000;

/** Everyone of each organisation who is in the directory and not onboarded, looked up once for each change. */
export class Leavers {
  readonly #known = new Map<string, { readonly change: number; readonly people: Promise<string[]> }>();

  /** Undefined where they are many. */
  async of(moment: Moment, lines: Lines): Promise<readonly string[] | undefined> {
    const people = await this.#peopleOf(moment, lines);
    return people.length > maxNamed ? undefined : people;
  }

  #peopleOf(moment: Moment, lines: Lines): Promise<string[]> {
    const { organisationId, change } = moment;
    const known = this.#known.get(organisationId);
    if (known?.change === change) return known.people;
    const people = lines(peopleNotOnboarded(moment));
    this.#known.delete(organisationId);
    this.#known.set(organisationId, { change, people });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxOrganisations && oldest !== undefined) this.#known.delete(oldest);
    people.catch(() => this.#known.delete(organisationId));
    return people;
  }
}

const peopleNotOnboarded = (moment: Moment) =>
  statementFor(
    sql`SELECT merged_user_id FROM ${tableAsOf(peopleCopy, moment)} WHERE NOT onboarded LIMIT ${integer(maxNamed + 1)}`,
  );
