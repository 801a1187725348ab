import type { OrganisationRow } from '../store/organisations.ts';
import {
  type CountedExamples,
  type Diagnosis,
  type Judgement,
  type OrganisationFindings,
  ok,
  warning,
} from './diagnosis.ts';

/** Whom the doctor is asked about, and how much it is to say. */
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
  /** What to do about what was found. */
  readonly advice: string;
  /** What is counted: one, and several. */
  readonly things: readonly [string, string];
  /** What it says where nothing was found. */
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
