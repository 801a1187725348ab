import type { PersonRecord } from '../../catalogue/directory-records.ts';
import type { Blueprint, CodeHost } from '../blueprint.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Character } from './characters.ts';
import { drawDeviate, drawSkewed, hour } from './delays.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** How a record names somebody. */
export interface Account {
  readonly login: string | null;
  readonly email: string | null;
}

/** An assistant somebody uses, from a day on. */
export interface Adoption {
  readonly tool: string;
  readonly day: number;
}

/** Somebody, or a bot, that leaves traces in a history. */
export interface Contributor {
  readonly name: string;
  readonly isBot: boolean;
  readonly isOnboarded: boolean;
  /** Whether no directory has ever heard of them. */
  readonly isStranger: boolean;
  readonly emails: readonly string[];
  readonly logins: Readonly<Record<string, readonly string[]>>;
  /** Home team first. */
  readonly teams: readonly string[];
  /** Whether they write code, and how much of it against others. */
  readonly weight: number;
  readonly joinedDay: number;
  readonly leftDay: number;
  /** How many seconds their working day lies behind others'. */
  readonly phase: number;
  readonly assistant: Adoption | undefined;
  readonly agent: Adoption | undefined;
  readonly accounts: Readonly<Record<CodeHost, Account>>;
}

const daysWithAssistants = 548;
const daysWithAgents = 274;
const assistants = ['github-copilot', 'github-copilot', 'github-copilot', 'cursor', 'cursor', 'claude-code'] as const;
const agents = ['claude-code', 'claude-code', 'cursor', 'codex'] as const;

/** Accounts that are in nobody's directory record, though people know them. */
const strangers = [
  { login: 'nightjar-dev', name: 'Robin Vance', email: 'robin@nightjar.example' },
  { login: 'k-oduya', name: 'K. Oduya', email: 'k.oduya@brightwater.example' },
] as const;

export function planContributors(
  organisation: DemoOrganisation,
  blueprint: Blueprint,
  character: Character,
  calendar: WorkingCalendar,
  random: SeededRandom,
): readonly Contributor[] {
  const known = organisation.people.map((person) => contributorOf(person, blueprint, character, calendar, random));
  const taken = new Set(
    known.flatMap(({ logins }) => Object.values(logins).flat()).map((login) => login.toLowerCase()),
  );
  const unknown = strangers
    .filter(({ login }) => !taken.has(login))
    .map(({ login, name, email }, index) => {
      const joinedDay = Math.floor(calendar.days * (0.15 + index * 0.35));
      const leftDay = Math.floor(calendar.days * (0.6 + index * 0.4));
      const logins = { [blueprint.codeHost]: [login] };
      return finished({ name, isStranger: true, emails: [email], logins, joinedDay, leftDay, weight: 1 }, random);
    });
  return [...known, ...unknown];
}

function contributorOf(
  person: PersonRecord,
  blueprint: Blueprint,
  character: Character,
  calendar: WorkingCalendar,
  random: SeededRandom,
): Contributor {
  const logins = loginsOf(person);
  const codes = blueprint.codeHost in logins || (blueprint.secondCodeHost ?? '') in logins;
  const joinedDay = person.created_date ? calendar.dayOfDate(person.created_date) : 0;
  const isOnboarded = person.onboarded === true;
  const isBot = person.is_bot === true;
  const adoption = drawAdoption(isBot || person.main_email == null || !codes, character, calendar, random);
  return finished(
    {
      name: person.name ?? '',
      isBot,
      isOnboarded,
      emails: person.emails ?? [],
      logins,
      teams: person.teams ?? [],
      weight: codes ? drawWeight(person, random) : 0,
      joinedDay,
      leftDay: isOnboarded || isBot ? calendar.days : drawLeaving(joinedDay, calendar, random),
      ...adoption,
    },
    random,
  );
}

function loginsOf({ logins }: PersonRecord): Readonly<Record<string, readonly string[]>> {
  const known = (logins ?? {}) as Readonly<Record<string, string | readonly string[]>>;
  return Object.fromEntries(
    Object.entries(known).map(([source, login]) => [source, typeof login === 'string' ? [login] : login]),
  );
}

/** Some write ten times as much as others; those who manage write little. */
function drawWeight({ access_role }: PersonRecord, random: SeededRandom): number {
  const share = access_role === 'Owner' ? 0.1 : access_role === 'Manager' ? 0.3 : 1;
  return share * drawSkewed(random, 1, 0.75);
}

/** Whoever is no longer onboarded left at some time; some of those from outside are still there. */
function drawLeaving(joinedDay: number, calendar: WorkingCalendar, random: SeededRandom): number {
  const from = Math.max(joinedDay, 0);
  return Math.round(from + (calendar.days - from) * random.between(0.25, 1.05));
}

/** Assistants come first and coding agents later; both spread slowly, then fast, then slowly again. */
function drawAdoption(
  never: boolean,
  { aiAdoption }: Character,
  calendar: WorkingCalendar,
  random: SeededRandom,
): Pick<Contributor, 'assistant' | 'agent'> {
  const [tool, agentTool] = [random.pick(assistants), random.pick(agents)];
  const [willingness, agentWillingness] = [random.next(), random.next()];
  const place = Math.min(1, Math.max(0, 0.42 + drawDeviate(random) / 4));
  if (never || willingness > aiAdoption) return { assistant: undefined, agent: undefined };
  const assistant = { tool, day: Math.floor(calendar.days - daysWithAssistants * (1 - place * 0.92)) };
  if (agentWillingness > aiAdoption) return { assistant, agent: undefined };
  return {
    assistant,
    agent: { tool: agentTool, day: Math.floor(calendar.days - daysWithAgents * (1 - place * 0.95)) },
  };
}

type Sketch = Pick<Contributor, 'name' | 'emails' | 'logins' | 'weight' | 'joinedDay' | 'leftDay'> &
  Partial<Contributor>;

function finished(sketch: Sketch, random: SeededRandom): Contributor {
  const on = (host: CodeHost): Account => {
    const [login] = sketch.logins[host] ?? [];
    if (login !== undefined) return { login, email: null };
    const [email] = sketch.emails;
    // Without either, the login of another host stands there, and nobody can tell whose it is.
    return email === undefined ? { login: anyLogin(sketch.logins), email: null } : { login: null, email };
  };
  return {
    isBot: false,
    isOnboarded: false,
    isStranger: false,
    teams: [],
    phase: Math.round(drawDeviate(random) * 0.7 * hour),
    assistant: undefined,
    agent: undefined,
    ...sketch,
    accounts: { github: on('github'), gitlab: on('gitlab'), bitbucket: on('bitbucket') },
  };
}

const anyLogin = (logins: Contributor['logins']): string | null => Object.values(logins)[0]?.[0] ?? null;
