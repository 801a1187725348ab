import type { CodeHostName } from '../catalogue/record-ids.ts';
import type { Culture, PersonName } from './names.ts';

export type Country = 'GB' | 'CA' | 'EE' | 'IN' | 'NZ' | 'everywhere';

/** With its share of the people, its factor of salaries, and where the names of the people come from. */
export interface Office {
  readonly place: string;
  readonly weight: number;
  readonly pay?: number;
  readonly cultures: Readonly<Partial<Record<Culture, number>>>;
}

export type CastMember = PersonName & { readonly place: string };

export interface Department {
  readonly name: string;
  readonly director: string;
  /** In the order of founding: a smaller organisation has the first ones only. */
  readonly teams: readonly string[];
  /** Job titles of those who write code, and of those who do not. */
  readonly coding: readonly string[];
  readonly planning: readonly string[];
}

/** Name, branch (`develop > live` where one is promoted to the other), deployment source, names of deploy workflows. */
type WellKnownRepository = readonly [name: string, branches: string, source?: string, ...workflows: string[]];

/** The code hosts that invented organisations are on. */
export type DemoHost = Exclude<CodeHostName, 'azure-devops'>;

/** The traits of one invented organisation. Everything else is drawn from its seed. */
export interface OrganisationProfile {
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
  readonly country: Country;
  readonly settings: Readonly<Record<'team_restrictions' | 'salary_visibility' | 'benchmark_opt_out', boolean>>;
  /** People at scale 1 without bots, and the first working day of the first of them, a Monday. */
  readonly headcount: number;
  readonly founded: string;
  /** How addresses are made, and an older domain at which some people still have one. */
  readonly email: { readonly form: 'given.family' | 'given' | 'initial-family'; readonly formerDomain: string };
  /** Some repositories moved to the second. */
  readonly codeHosts: readonly [DemoHost, DemoHost?];
  readonly tools: {
    readonly workplaces: readonly ('jira' | 'slack')[];
    readonly tracker: 'jira' | 'linear' | 'github';
    readonly titles: 'conventional' | 'key' | 'plain';
    readonly hasMergeQueue?: boolean;
  };
  /**
   * Pull requests in an ordinary week of 2026 at scale 1, work on a day of a weekend against a Wednesday, work in 2026
   * against that of 2024, a factor of every delay that people cause, share of people who take up an assistant.
   */
  readonly activity: { readonly hours: 'office' | 'volunteers' } & Readonly<
    Record<'pullRequests' | 'weekend' | 'growth' | 'pace' | 'aiAdoption', number>
  >;
  /** Parts of a year with more or less work than usual: the weight by first and last day, as MM-DD MM-DD. */
  readonly seasons: Readonly<Record<string, number>>;
  readonly owner: CastMember & { readonly login: string };
  readonly cast: readonly CastMember[];
  readonly offices: readonly Office[];
  readonly departments: readonly Department[];
  /** A team across the departments, and a team of people from outside only, none of them onboarded. */
  readonly extraTeams: { readonly guild: string; readonly outside: string; readonly outsiderTitle: string };
  readonly squads: { readonly levels: 2 | 3; readonly top: readonly string[] };
  /** From the most junior level up: what stands before the job title. */
  readonly engineerLevels: Readonly<Record<string, string>>;
  /** Titles of the top, directors, managers of managers, managers of teams, and people partners. */
  readonly managementLevels: readonly string[];
  /** Of the same but the directors, whose titles name their departments. */
  readonly managementTitles: readonly string[];
  /** Yearly salary of the second engineer level, where salaries are shown. */
  readonly pay?: number;
  /** Shares of the people: known by a login only, with a private address too, who left, from outside. */
  readonly shares: Readonly<Record<'withoutEmail' | 'personalEmail' | 'leavers' | 'outsiders', number>>;
  readonly repositories: readonly WellKnownRepository[];
}

/** The items of a list such as `Card Payments, Checkout`. Long lists are text, so that they take a few lines only. */
export const list = (text: string): string[] => text.split(',').map((item) => item.trim());

/** Reads departments separated by semicolons: `name | director | teams | titles of coders | titles of planners`. */
export const departments = (text: string): Department[] =>
  text.split(';').map((row) => {
    const [[name = ''] = [], [director = ''] = [], teams = [], coding = [], planning = []] = row.split('|').map(list);
    return { name, director, teams, coding, planning };
  });

export const yearsEnd = (weight: number) => ({ '12-20 12-31': weight, '01-01 01-04': (weight + 1) / 2 });
