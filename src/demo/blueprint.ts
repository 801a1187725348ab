import type { RepositoryRecord } from '../catalogue/directory-records.ts';
import type { Culture } from './names/cultures.ts';
import type { Name } from './names/name.ts';

export type CodeHost = 'github' | 'gitlab' | 'bitbucket';
export type Workplace = 'jira' | 'slack';
export type LoginSource = CodeHost | Workplace;

export interface Settings {
  readonly team_restrictions: boolean;
  readonly salary_visibility: boolean;
  readonly benchmark_opt_out: boolean;
}

export interface Office {
  readonly place: string;
  /** How many work here, in proportion to the other offices. */
  readonly weight: number;
  /** What is paid here, in proportion to the other offices. */
  readonly pay: number;
  readonly cultures: readonly Culture[];
}

/** A person who is there whatever the seed. */
export interface CastMember extends Name {
  readonly place: string;
}

/** A step of seniority and what it pays in a year. */
export interface Rung {
  readonly level: string;
  readonly pay: number;
}

export interface EngineerRung extends Rung {
  /** Put before the job title: Senior. Empty for the plain title. */
  readonly prefix: string;
  readonly weight: number;
}

export interface ManagementRung extends Rung {
  readonly title: string;
}

export interface Department {
  readonly name: string;
  readonly director: string;
  /** In the order they were founded: a smaller organisation has the first ones only. */
  readonly teams: readonly string[];
  /** Job titles of those who write code, and of those who do not. */
  readonly coding: readonly string[];
  readonly planning: readonly string[];
}

/** What share of the people have a habit that makes directories hard to keep. */
export interface Habits {
  /** Known by a login only. */
  readonly withoutEmail: number;
  /** An address of their own beside the one at work. */
  readonly personalEmail: number;
  readonly leavers: number;
  /** People from outside, half of whom sit in ordinary teams. */
  readonly outsiders: number;
}

/** What makes one invented organisation itself. Everything not written here is drawn from its seed. */
export interface Blueprint {
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
  readonly settings: Settings;
  /** People at scale 1, bots aside. */
  readonly headcount: number;
  /** First working day, a Monday. */
  readonly founded: string;
  readonly emailDomain: string;
  /** An older domain whose addresses some still have. */
  readonly formerDomain: string;
  readonly emailForm: 'given.family' | 'given' | 'initial-family';
  readonly codeHost: CodeHost;
  /** A second code host that some have a login on. */
  readonly secondCodeHost?: CodeHost;
  readonly workplaces: readonly Workplace[];
  readonly owner: CastMember & { readonly title: string; readonly login: string };
  /** Names worth seeing in every demo. */
  readonly cast: readonly CastMember[];
  readonly offices: readonly [Office, ...Office[]];
  readonly departments: readonly [Department, ...Department[]];
  /** A team across the departments, which therefore has none. */
  readonly guild: string;
  /** A team of people from outside only, none of them onboarded. */
  readonly outsideTeam: string;
  readonly outsiderTitle: string;
  readonly squads: {
    readonly top: readonly [string, ...string[]];
    readonly levels: 2 | 3;
    readonly names: readonly string[];
  };
  readonly engineerRungs: readonly [EngineerRung, ...EngineerRung[]];
  readonly management: {
    readonly top: Rung;
    readonly director: Rung;
    readonly groupManager: ManagementRung;
    readonly teamManager: ManagementRung;
    readonly peoplePartner: ManagementRung;
  };
  readonly habits: Habits;
  /** Owner of the repositories on the code host, and those that no team rule would make. */
  readonly repositoryOwner: string;
  readonly repositories: readonly RepositoryRecord[];
}
