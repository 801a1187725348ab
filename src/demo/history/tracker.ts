import type { SeededRandom } from '../seeded-random.ts';
import { issueUrl, ticketUrl } from './addresses.ts';
import type { TrackerKind } from './characters.ts';
import { type CodeBase, takeNumber } from './code-bases.ts';
import type { Account, Contributor } from './contributors.ts';
import type { World } from './world.ts';

/** Where issues are kept together: a project of a department, or a repository where issues live beside the code. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** What keys begin with; none where numbers do. */
  readonly prefix: string;
  readonly codeBase: CodeBase | undefined;
  nextNumber: number;
  /** The large piece of work that this quarter's issues are part of. */
  epicId: string | null;
}

/** An issue before anything is known of it but its name. */
export interface Ticket {
  readonly project: Project;
  readonly id: string;
  readonly key: string;
  /** As it stands in the name of a branch. */
  readonly slug: string;
  readonly url: string;
}

const sprintDays = 14;

/** The tracker of an organisation: its projects, its numbers and its sprints. */
export class Tracker {
  readonly kind: TrackerKind;
  readonly projects: readonly Project[];
  readonly #owner: string;
  readonly #projectOfTeam: ReadonlyMap<string, Project>;
  readonly #projectOfCode: ReadonlyMap<CodeBase, Project>;
  readonly #firstSprint: number;

  constructor({ organisation, blueprint, character, workforce }: World, random: SeededRandom) {
    this.kind = character.tracker;
    this.#owner = blueprint.repositoryOwner;
    this.#firstSprint = random.integer(8, 60);
    if (this.kind === 'github') {
      this.#projectOfCode = new Map(workforce.codeBases.map((codeBase) => [codeBase, codeProject(codeBase)]));
      this.#projectOfTeam = new Map();
      this.projects = [...this.#projectOfCode.values()];
      return;
    }
    const departments = new Map<string, Project>();
    for (const { name } of blueprint.departments) {
      departments.set(name, departmentProject(name, [...departments.values()], random));
    }
    const pairs = organisation.teams.flatMap(({ team_name, department }) => {
      const project = departments.get(department ?? '');
      return team_name && project ? [[team_name, project] as const] : [];
    });
    this.#projectOfTeam = new Map(pairs);
    this.#projectOfCode = new Map();
    this.projects = [...departments.values()];
  }

  projectFor(author: Contributor, codeBase: CodeBase, random: SeededRandom): Project {
    const own = this.#projectOfCode.get(codeBase) ?? this.#projectOfTeam.get(author.teams[0] ?? '');
    return own ?? random.pick(this.projects);
  }

  open(project: Project): Ticket {
    const { codeBase } = project;
    if (codeBase) {
      const number = takeNumber(codeBase);
      const { repository } = codeBase;
      return {
        project,
        id: `github:${repository}#${number}`,
        key: `#${number}`,
        slug: String(number),
        url: issueUrl(repository, number),
      };
    }
    const key = `${project.prefix}-${project.nextNumber}`;
    project.nextNumber += 1;
    const url = ticketUrl(this.kind, this.#owner, key);
    return { project, id: `${this.kind}:${key}`, key, slug: key.toLowerCase(), url };
  }

  /** Two weeks each. Those who plan nothing have none. */
  sprintOn(day: number, { prefix }: Project): string | null {
    if (this.kind === 'github') return null;
    const number = this.#firstSprint + Math.floor(day / sprintDays);
    return this.kind === 'linear' ? `Cycle ${number}` : `${prefix} Sprint ${number}`;
  }

  /** How the tracker names somebody; nobody, when it has never heard of them. */
  accountOf(person: Contributor): Account {
    if (this.kind === 'github') return person.accounts.github;
    const [login] = person.logins[this.kind] ?? [];
    return { login: login ?? null, email: login === undefined ? (person.emails[0] ?? null) : null };
  }
}

const codeProject = (codeBase: CodeBase): Project => ({
  id: codeBase.repository,
  name: codeBase.repository,
  prefix: '',
  codeBase,
  nextNumber: 0,
  epicId: null,
});

function departmentProject(name: string, others: readonly Project[], random: SeededRandom): Project {
  const letters = name.toUpperCase().replace(/[^A-Z]/g, '');
  const lengths = [3, 4, 5, 6].map((length) => letters.slice(0, length));
  const prefix = lengths.find((candidate) => !others.some((other) => other.prefix === candidate)) ?? letters;
  return { id: prefix, name, prefix, codeBase: undefined, nextNumber: random.integer(40, 2_400), epicId: null };
}
