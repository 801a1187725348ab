import { peopleCopy } from '../../catalogue/directory-copies.ts';
import { type GroupColumn, groupColumnsOf, hasPerson } from '../../catalogue/group-columns.ts';
import type { Table } from '../../catalogue/table.ts';
import type { BucketBy, Plan, Span } from '../../query/plan.ts';
import type { RenderColumn } from './expression-sql.ts';
import { contentsOf, type Guarded, guarded } from './guard.ts';
import { hasChoice, persons, seenPeople, squadMemberships, teamMemberships } from './people-sql.ts';
import { renderRowFilter } from './row-filter-predicates.ts';
import { allOf, date, joined, raw, type Sql, sql, texts, timestamp } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';
import { answersLeftOut } from './survey-answers.ts';

/** The groups of rows: each with its name and its value. */
export interface Key {
  readonly as: string;
  readonly value: Sql;
  /** Whether it says something of the person rather than of the row. */
  readonly isOfPerson: boolean;
}

/** The columns of a row that name its person as the source knows them. */
const ofStarter: ReadonlySet<string> = new Set([
  'person_login',
  'person_source',
  'person_email',
  'person_name',
  'person_is_bot',
]);

/** The person of a row that no bot account did. */
const person = raw('CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END');

/** Writes the way over one table: what it joins depends on which columns are said. */
export class PlanSql {
  readonly #context: SqlContext;
  readonly #named: NamedQueries;
  readonly #plan: Plan;
  readonly #guarded: Guarded;
  readonly #isPeople: boolean;
  readonly #personColumns = new Set<string>();
  #contents: 'none' | 'number' | 'list' = 'none';
  #isStarterSaid = false;

  constructor(context: SqlContext, named: NamedQueries, plan: Plan) {
    this.#context = context;
    this.#named = named;
    this.#plan = plan;
    this.#isPeople = plan.from.table.isPeople === true;
    // People are kept in the directory's copy: of them there is no table to guard, only the people themselves.
    this.#guarded = this.#isPeople
      ? { from: raw(''), conditions: [], seen: seenPeople(context, named, plan.from.visibility) }
      : guarded(context, named, plan.from, 't', plan);
  }

  /** The columns that rows are grouped by, the bucket first. */
  keys(): Key[] {
    const { bucket, span, groupBy } = this.#plan;
    const buckets =
      bucket && span ? [{ as: bucket.as, value: this.bucketOf(bucket, span, 't'), isOfPerson: false }] : [];
    return [
      ...buckets,
      ...groupBy.map((column) => ({
        as: column.name,
        value: this.#group(column),
        isOfPerson: column.from !== 'row' && column.from !== 'contents',
      })),
    ];
  }

  bucketOf({ level, clock }: BucketBy, { type, column }: Span, alias: string): Sql {
    const at = columnOf(this.#context, alias, column);
    return type === 'date'
      ? this.#context.dialect.bucketOfDay(level, at)
      : this.#context.dialect.bucket(level, at, clock);
  }

  /** How a column of the table is said inside a measure. */
  get column(): RenderColumn {
    return (name) => {
      const { table } = this.#plan.from;
      const known = groupColumnsOf(table).get(name);
      if (this.#isPeople) return this.#person(name);
      return known?.from === 'contents' ? this.#group(known) : this.#own(name);
    };
  }

  /** The person of a row, if it counts. */
  effectivePerson(): Sql {
    return this.#person('merged_user_id');
  }

  /** FROM and WHERE. Said last, when it is known what was asked for. */
  rows(): Sql {
    const { from } = this.#plan;
    const conditions = this.#conditions();
    const joins = this.#isPeople
      ? [sql`(${this.#persons()}) AS p`, ...this.#memberships('p')]
      : [this.#guarded.from, ...this.#personJoins(), ...this.#contentsJoin(from.table)];
    return fromWhere(joins, [...conditions, ...this.#ofCounted(), ...this.#notOfLeavers()]);
  }

  /** FROM and WHERE of the answers to anonymous surveys that are left out. */
  suppressed(): Sql {
    const { from: scoped, people, span } = this.#plan;
    const rows = answersLeftOut(this.#context, this.#named, { scoped, people });
    return fromWhere(
      [sql`${rows} AS t`],
      [...(span ? [renderSpan(this.#context, span, 't')] : []), ...this.#rowConditions()],
    );
  }

  /** People with the columns that keys say of them, without the rows: what a share is a share of. */
  population(): Sql {
    return joined([sql`(${this.#persons()}) AS p`, ...this.#memberships('p')], '\n');
  }

  #conditions(): Sql[] {
    const { span } = this.#plan;
    return [
      ...(span ? [renderSpan(this.#context, span, 't')] : []),
      ...this.#guarded.conditions,
      ...this.#rowConditions(),
    ];
  }

  #rowConditions(): Sql[] {
    const { rows, from } = this.#plan;
    return rows.map((choice) => renderRowFilter(this.#context, this.#named, from, 't', choice));
  }

  /** Of answers to surveys those of chosen people, and those that are shown by groups, which have no person. */
  #ofCounted(): Sql[] {
    if (!this.#plan.from.table.anonymous || !this.#isInner()) return [];
    return [raw('(t.report_group IS NOT NULL OR p.merged_user_id IS NOT NULL)')];
  }

  #group({ name, from }: GroupColumn): Sql {
    switch (from) {
      case 'row':
        return this.#own(name);
      case 'person': {
        const own = this.#person(name);
        if (!this.#plan.from.table.anonymous) return own;
        return sql`CASE WHEN t.report_group IS NOT NULL THEN t.report_team_names ELSE ${own} END`;
      }
      case 'team':
      case 'squad':
        return columnOf(this.#context, from === 'team' ? 'tm' : 'sq', name);
      case 'contents':
        this.#contents = 'list';
        return raw('c.list');
    }
  }

  /** The contents of a row show only what the caller may see, and so does the person who started it. */
  #own(name: string): Sql {
    const own = columnOf(this.#context, 't', this.#plan.from.table.shownAs?.[name] ?? name);
    const { carriesPullRequests } = this.#plan.from.table;
    if (!this.#guarded.seen || !carriesPullRequests) return own;
    if (name === carriesPullRequests.named) return raw('CAST(NULL AS VARCHAR)');
    if (ofStarter.has(name)) {
      this.#isStarterSaid = true;
      return sql`CASE WHEN v.merged_user_id IS NOT NULL THEN ${own} END`;
    }
    if (name !== carriesPullRequests.count) return own;
    if (this.#contents === 'none') this.#contents = 'number';
    return raw(`CASE WHEN t.${name} IS NOT NULL THEN coalesce(c.number, 0) END`);
  }

  #person(name: string): Sql {
    this.#personColumns.add(name);
    return columnOf(this.#context, 'p', name);
  }

  #persons(): Sql {
    const { people, leftOut } = this.#plan;
    const areOnboarded = leftOut !== 'not-onboarded';
    return persons(this.#context, this.#named, people, this.#guarded.seen, this.#personColumns, areOnboarded);
  }

  /** Rows of people who are known and not onboarded are left out, those of bots excepted. */
  #isLeftOutAsked(): boolean {
    const { from } = this.#plan;
    return !this.#isPeople && !this.#isInner() && !from.table.countsForRepository && hasPerson(from.table);
  }

  /** A few leavers are named: that takes less than a join with all people. */
  #notOfLeavers(): Sql[] {
    const { leavers = [], dialect } = this.#context;
    if (leavers.length === 0 || !this.#isLeftOutAsked()) return [];
    return [sql`NOT ${dialect.isAmong(sql`coalesce(${person}, '')`, texts(leavers))}`];
  }

  /** Whether only rows of people that count are wanted. */
  #isInner(): boolean {
    const { people, from, leftOut } = this.#plan;
    return (
      leftOut !== undefined ||
      hasChoice(people) ||
      (this.#guarded.seen !== undefined && !from.table.countsForRepository)
    );
  }

  #personJoins(): Sql[] {
    const joins: Sql[] = [];
    const [isInner, isSaid] = [this.#isInner(), this.#personColumns.size > 0];
    if (isInner || isSaid) {
      const join = raw(isInner && !this.#plan.from.table.anonymous ? 'JOIN' : 'LEFT JOIN');
      joins.push(
        sql`${join} (${this.#persons()}) AS p ON ${this.#plan.leftOut === 'bot' ? isBotRowOf('p') : isRowOf('p')}`,
      );
    }
    if (this.#context.leavers === undefined && this.#isLeftOutAsked()) {
      const leftOut = sql`SELECT d.merged_user_id FROM ${this.#context.table(peopleCopy)} AS d WHERE NOT d.onboarded`;
      joins.push(this.#context.dialect.withoutMatch(leftOut, 'z', sql`z.merged_user_id = ${person}`));
    }
    const { seen } = this.#guarded;
    if (this.#isStarterSaid && seen) joins.push(sql`LEFT JOIN ${seen} AS v ON v.merged_user_id = t.merged_user_id`);
    return [...joins, ...this.#memberships(isInner || isSaid ? 'p' : 't')];
  }

  /** Memberships of the people that count: those who stand under the alias p, or of a row's own person. */
  #memberships(alias: 'p' | 't'): Sql[] {
    const { groupBy, people } = this.#plan;
    const on = (memberships: string): Sql =>
      alias === 't' ? isRowOf(memberships) : raw(`${memberships}.merged_user_id = ${alias}.merged_user_id`);
    const [teams, squads] = [
      groupBy.filter(({ from }) => from === 'team'),
      groupBy.filter(({ from }) => from === 'squad'),
    ];
    if (teams.length + squads.length === 0) return [];
    const among = alias === 't' ? this.#persons() : undefined;
    const joins: Sql[] = [];
    if (teams.length > 0) {
      joins.push(
        sql`LEFT JOIN (${teamMemberships(this.#context, this.#named, people, teams, among)}) AS tm ON ${on('tm')}`,
      );
    }
    if (squads.length > 0) {
      const memberships = squadMemberships(this.#context, this.#named, people, squads, among);
      joins.push(sql`LEFT JOIN (${memberships}) AS sq ON ${on('sq')}`);
    }
    return joins;
  }

  #contentsJoin(table: Table): Sql[] {
    if (this.#contents === 'none') return [];
    const contents = contentsOf(
      this.#context,
      table,
      this.#conditions(),
      this.#guarded.seen,
      this.#contents === 'list',
    );
    return [sql`LEFT JOIN (${contents}) AS c ON c.id = t.${raw(String(table.key[0]))}`];
  }
}

/**
 * Whether a row is of a person. What a bot account of theirs did is not, unless they were onboarded by name. Compared
 * rather than combined by OR, which the engine would join every row with every person for.
 */
const isRowOf = (people: string): Sql =>
  raw(`${people}.merged_user_id = t.merged_user_id AND ${people}.onboarded_by_name >= coalesce(t.is_bot, false)`);

/** Whether a row is of a bot account of a person, and so not of the person. */
const isBotRowOf = (people: string): Sql =>
  raw(`${people}.merged_user_id = t.merged_user_id AND ${people}.onboarded_by_name < coalesce(t.is_bot, false)`);

function fromWhere(joins: readonly Sql[], conditions: readonly Sql[]): Sql {
  const where = conditions.length > 0 ? sql`\nWHERE ${allOf(conditions)}` : raw('');
  return sql`FROM ${joined(joins, '\n')}${where}`;
}

export function renderSpan(context: SqlContext, span: Span, alias: string): Sql {
  const at = columnOf(context, alias, span.column);
  return span.type === 'date'
    ? sql`${at} >= ${date(span.from)} AND ${at} <= ${date(span.to)}`
    : sql`${at} >= ${timestamp(span.from)} AND ${at} < ${timestamp(span.until)}`;
}
