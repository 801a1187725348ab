import { dateColumnOf, factsOf, figuresOf, identityOf, keyOf, type MetricName } from './metric-facts.ts';
import { now } from './organisations.ts';
import type { Counted } from './plain-verdict.ts';

/** A row behind a number, as the API lists it. */
export interface AskedRow extends Counted {
  /** A day, or a moment; undefined of one without the date that the number goes by. */
  readonly when: string | undefined;
  readonly columns: Json;
}

type Json = Readonly<Record<string, unknown>>;

/** What a number is of, whatever its window. */
export interface RowsQuestion {
  readonly metric: MetricName;
  readonly dateField?: string | undefined;
  readonly filters?: Json;
  readonly groupBy?: readonly string[];
}

interface Asking {
  readonly url: string;
  readonly cookie: string;
}

/** All rows that somebody may see. Figures of one table are asked together, and everything once. */
export class RowsOfReader {
  readonly #reader: Asking;
  readonly #known = new Map<string, Promise<readonly Json[]>>();

  constructor(reader: Asking) {
    this.#reader = reader;
  }

  async of({ metric, dateField, filters = {}, groupBy = [] }: RowsQuestion): Promise<readonly AskedRow[]> {
    // Who used an assistant are the people behind the share that did.
    const asked = metric === 'adoption-rate' ? 'adopted-users' : metric;
    const { table, column } = factsOf(asked);
    const together = figuresOf[table]?.includes(asked) ? figuresOf[table] : [asked];
    const date = dateColumnOf(metric, dateField);
    const rows = await this.#post('/metrics/get-multiple-metrics?n=true&durations=seconds', {
      metrics: together,
      filters: { ...filters, start_date: '2025-01-01', end_date: now.slice(0, 10) },
      group_by: [...new Set([...keyOf(table), date, ...together.flatMap((one) => identityOf[one] ?? []), ...groupBy])],
      aggregations: Object.fromEntries(
        together.filter((one) => factsOf(one).needsAggregation).map((one) => [one, 'MAX']),
      ),
      date_fields: Object.fromEntries(together.map((one) => [one, date])),
    });
    const [value, n] = [column.replace('{aggregation}', 'max'), `n_${asked.replaceAll('-', '_')}`];
    const identity = identityOf[metric];
    return rows.map((row) => ({
      when: typeof row[date] === 'string' ? row[date] : undefined,
      value: numberIn(row[value]),
      n: numberIn(row[together.length === 1 ? 'n' : n]) ?? numberIn(row[n]) ?? 0,
      ...(identity ? { identity: String(row[identity]) } : {}),
      columns: row,
    }));
  }

  /** The people who are onboarded, once for each of their groups. */
  people(groupBy: readonly string[] = []): Promise<readonly Json[]> {
    return this.#post('/metrics/users-count', { filters: {}, group_by: ['merged_user_id', ...groupBy] });
  }

  #post(path: string, body: object): Promise<readonly Json[]> {
    const key = JSON.stringify([path, body]);
    const answer = this.#known.get(key) ?? this.#send(path, body);
    this.#known.set(key, answer);
    return answer;
  }

  async #send(path: string, body: object): Promise<readonly Json[]> {
    const { url, cookie } = this.#reader;
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()} ${JSON.stringify(body)}`);
    return (await response.json()) as readonly Json[];
  }
}

const numberIn = (cell: unknown): number | null => (typeof cell === 'number' ? cell : null);
