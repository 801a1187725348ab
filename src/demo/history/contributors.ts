import { dayNumber } from '../../calendar.ts';
import type { PersonRecord } from '../../catalogue/directory-records.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import { directoryDay } from '../org-chart.ts';
import type { DemoHost, OrganisationProfile } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { hour } from './working-calendar.ts';

export interface Account {
  readonly person_login: string | null;
  readonly person_email: string | null;
}

export type Contributor = ReturnType<typeof drawFrom>;

const assistants = ['github-copilot', 'github-copilot', 'github-copilot', 'cursor', 'cursor', 'claude-code'];
const assistantsFrom = dayNumber('2024-07-01');
/** Until most people have one, and until most have tried an agent that is offered to them. */
const daysUntilAssistants = 500;
const daysUntilAgents = 200;
const unusedSeats = 0.12;
/** Of those who left, the first did it this long before the directory was written down. */
const leavingDays = 730;
const never = Number.POSITIVE_INFINITY;

/** Accounts in no directory record. */
const strangers = [
  {
    ...{ login: 'nightjar-dev', name: 'Robin Vance', email: 'robin@nightjar.example' },
    ...{ from: dayNumber('2024-04-22'), to: dayNumber('2025-03-14') },
  },
  {
    ...{ login: 'k-oduya', name: 'K. Oduya', email: 'k.oduya@brightwater.example' },
    ...{ from: dayNumber('2025-01-06'), to: never },
  },
];

export function planContributors(organisation: DemoOrganisation, random: SeededRandom) {
  const { people, profile } = organisation;
  const unknown = strangers.map(({ login, name, email, from, to }) => {
    const person = { name, emails: [email], logins: { [profile.codeHosts[0]]: login } };
    return { ...drawFrom(person, profile, random), joinedDay: from, leftDay: to, isStranger: true };
  });
  return [...people.map((person) => drawFrom(person, profile, random)), ...unknown];
}

function drawFrom(person: PersonRecord, profile: OrganisationProfile, random: SeededRandom) {
  const { codeHosts, activity } = profile;
  const { name, main_email, teams, created_date, access_role } = person;
  const given = Object.entries((person.logins ?? {}) as Record<string, string | string[]>);
  const logins: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
    given.map(([host, own]) => [host, [own].flat()]),
  );
  const emails = person.emails ?? [];
  const [email = null] = emails;
  const isBot = person.is_bot === true;
  const isOnboarded = person.onboarded === true;
  const codes = codeHosts.some((host) => host !== undefined && host in logins);
  const joinedDay = created_date ? dayNumber(created_date) : 0;
  const written = dayNumber(directoryDay);
  const from = Math.max(joinedDay, written - leavingDays);
  // People who are no longer onboarded left at some time; some of those from outside are still there.
  const stay = random.between(0.25, 1.05);
  // Where no address is known, the login of another host is used, and nobody can say whose it is.
  const anyLogin = email === null ? (Object.values(logins)[0]?.[0] ?? null) : null;
  const on = (host: DemoHost): Account => {
    const person_login = logins[host]?.[0] ?? anyLogin;
    return { person_login, person_email: person_login === null ? email : null };
  };
  // Some write ten times as much as others; those who manage write little.
  const share = !codes ? 0 : access_role === 'Owner' ? 0.1 : access_role === 'Manager' ? 0.3 : 1;
  // Assistants come first and coding agents later; both spread slowly, then fast, then slowly again.
  const place = Math.min(1, Math.max(0, 0.42 + random.deviate() / 4));
  const adoption = codes && main_email != null && !isBot ? activity.aiAdoption : 0;
  const hasAssistant = random.chance(adoption);
  const assistant = {
    tool: random.pick(assistants),
    day: assistantsFrom + Math.floor(daysUntilAssistants * place),
    isUnused: random.chance(unusedSeats),
  };
  return {
    ...{ name: name ?? '', isBot, isOnboarded, isStranger: false, emails, logins, joinedDay },
    teams: teams ?? [],
    weight: share * random.skewed(1, 0.75),
    leftDay: isOnboarded || isBot || stay > 1 ? never : Math.round(from + (written - from) * stay),
    phase: Math.round(random.deviate() * 0.7 * hour),
    assistant: hasAssistant ? assistant : undefined,
    /** How long after it is offered somebody takes up a new agent, in days. */
    agentDelay: random.chance(adoption) && hasAssistant ? Math.floor(daysUntilAgents * place) : never,
    accounts: { github: on('github'), gitlab: on('gitlab'), bitbucket: on('bitbucket') },
  };
}
