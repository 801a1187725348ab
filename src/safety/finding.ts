import type { StoreTable } from '../store/all-store-tables.ts';
import type { OrganisationRow } from '../store/organisation-rows.ts';
import {
  type CountedExamples,
  type Diagnosis,
  type Judgement,
  type OrganisationFindings,
  ok,
  warning,
} from './diagnosis.ts';

/** Damage that was found: what is wrong, how often, and where to look. */
export interface HealthFinding {
  /** The check that found it, in one or two words. */
  readonly check: string;
  readonly problem: string;
  readonly count: number;
  /** Identifiers of the first few. Never names, addresses or secrets. */
  readonly examples: readonly string[];
}

export const maxExamples = 5;

/** Something that was found once, and says itself where. */
export const found = (check: string, problem: string): HealthFinding => ({ check, problem, count: 1, examples: [] });

/** The engine's own first line says most about a broken file, and nothing about what is in it. */
export function unreadable(what: string, error: unknown): HealthFinding {
  const why = error instanceof Error ? `: ${error.message.split('\n')[0]?.slice(0, 300)}` : '';
  return found('readable', `${what}${why}`);
}

/** The columns that identify a row of a table without saying anything private. */
export function exampleColumns(table: StoreTable): readonly string[] {
  if (table.name === 'message_receivers') return ['organisation_id', 'about_kind', 'about_slug'];
  if (table.name === 'source_people') return ['source_id', 'owner_key'];
  return table.name === 'identities' || table.name === 'sign_ins' ? ['organisation_id', 'person_id'] : table.key;
}

export const exampleOf = (table: StoreTable, row: Readonly<Record<string, unknown>>): string =>
  exampleColumns(table)
    .map((name) => String(row[name]))
    .join('/');

/** Collects problems of single rows into findings, one for each kind of problem. */
export class Findings {
  readonly #found = new Map<string, { readonly check: string; problem: string; count: number; examples: string[] }>();

  add(check: string, problem: string, example: string): void {
    const known = this.#found.get(`${check}: ${problem}`) ?? { check, problem, count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < maxExamples) known.examples.push(example);
    this.#found.set(`${check}: ${problem}`, known);
  }

  all(): HealthFinding[] {
    return [...this.#found.values()];
  }
}

/** The organisation that the doctor examines, and the length of its lists. */
export interface DoctorScope {
  readonly organisations: readonly OrganisationRow[];
  /** Somebody asks about one organisation, and not about the installation. */
  readonly isOfOne: boolean;
  /** How many examples each organisation has at most. */
  readonly maxExamples: number;
}

/** Where each finding counts as one. Only those that are examples are put into words. */
export function countFound<T>(all: readonly T[], maxExamples: number, describe: (one: T) => string): CountedExamples {
  const examples = all.slice(0, maxExamples).map(describe);
  return { count: all.length, examples, more: all.length - examples.length };
}

interface FindingsCheck {
  readonly name: string;
  /** The advice for the findings. */
  readonly advice: string;
  /** The word for one finding, and for several. */
  readonly things: readonly [string, string];
  /** The text where nothing was found. */
  readonly well?: string;
  readonly judge?: (detail: string) => Judgement;
}

export function diagnoseFindings(
  { name, advice, things, well = 'none', judge = warning }: FindingsCheck,
  findings: readonly OrganisationFindings[],
): Diagnosis {
  if (findings.length === 0) return { name, ...ok(well) };
  return { name, ...judge(advice), summary: summaryOf(findings, things), findings };
}

export const totalOf = (findings: readonly CountedExamples[]): number =>
  findings.reduce((sum, { count }) => sum + count, 0);

/** An organisation whose records could not be looked at has findings that count nothing. */
function summaryOf(findings: readonly OrganisationFindings[], [one, several]: readonly [string, string]): string {
  const count = totalOf(findings);
  const counted = findings.filter((own) => own.count > 0).length;
  const unread = findings.length - counted;
  return [
    ...(counted > 0 ? [`${count.toLocaleString('en')} ${count === 1 ? one : several}${inOrganisations(counted)}`] : []),
    ...(unread > 0
      ? [`${unread.toLocaleString('en')} ${unread === 1 ? 'organisation' : 'organisations'} not read`]
      : []),
  ].join(', ');
}

const inOrganisations = (count: number): string =>
  count === 1 ? '' : ` in ${count.toLocaleString('en')} organisations`;

/** A diagnosis in one text, with every example that there is. */
export function wholeDetail({ detail, findings = [] }: Diagnosis): string {
  const lists = findings.map(({ organisation, examples }) => {
    const list = examples.map((example) => example.replace(/\.$/, '')).join('; ');
    return `${organisation === undefined ? '' : `${organisation}: `}${list}.`;
  });
  return [detail, ...lists].filter((part) => part !== '').join(' ');
}
