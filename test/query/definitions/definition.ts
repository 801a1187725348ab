import type { QuestionBody } from '../../reference/question.ts';
import type { Records } from '../recorded-world.ts';

/** One number of a metric, worked out by hand from the records beside it. */
export interface Case {
  readonly metric: string;
  /** Why it is this number. */
  readonly because: string;
  readonly body?: QuestionBody;
  /** Who sees only themselves and asks; the Owner where it is not said. */
  readonly engineer?: string;
  /** What the answer's rows are, without `date_level_not_set`. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A small world and what metrics say of it. */
export interface Definitions {
  readonly about: string;
  readonly records: Records;
  /** Settings of the organisation. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
}

/** Ada and Bo count, Cy is known and does not; Dee does nothing. The Owner is there besides. */
export const people = [
  person('Ada', { teams: ['Payments'], level: 'Senior', salary: 100 }),
  person('Bo', { teams: ['Payments', 'Platform'], level: 'Junior', salary: 50, manager_email: 'ada@example.org' }),
  person('Cy', { teams: ['Platform'], onboarded: false, salary: 1_000 }),
  person('Dee', {}),
];

function person(name: string, more: object): object {
  const login = name.toLowerCase();
  return {
    merged_user_id: login,
    name,
    main_email: `${login}@example.org`,
    github_username: login,
    onboarded: true,
    ...more,
  };
}

export const teams = [
  { team_id: 't-pay', team_name: 'Payments', department: 'Product' },
  { team_id: 't-plat', team_name: 'Platform', department: 'Product' },
];
