import type { PersonRecord } from '../../catalogue/directory-records.ts';
import type { CodeHostName } from '../../catalogue/record-ids.ts';
import type { DemoOrganisation } from '../demo-organisations.ts';
import type { OrganisationProfile } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { hour, type WorkingCalendar } from './working-calendar.ts';

export interface Account {
  readonly person_login: string | null;
  readonly person_email: string | null;
}

export type Contributor = ReturnType<typeof drawFrom>;

const assistants = ['github-copilot', 'github-copilot', 'github-copilot', 'cursor', 'cursor', 'claude-code'];
const agents = ['claude-code', 'claude-code', 'cursor', 'codex'];
const daysWithAssistants = 548;
const daysWithAgents = 274;

/** Accounts in no directory record. Each is there for a part of the history, given as shares of it. */
const strangers = [
  { login: 'nightjar-dev', name: 'Robin Vance', email: 'robin@nightjar.example', from: 0.15, to: 0.6 },
  { login: 'k-oduya', name: 'K. Oduya', email: 'k.oduya@brightwater.example', from: 0.5, to: 1 },
];

export function planContributors(organisation: DemoOrganisation, calendar: WorkingCalendar, random: SeededRandom) {
  const { people, profile } = organisation;
  const { days } = calendar;
  const unknown = strangers.map(({ login, name, email, from, to }) => {
    const person = { name, emails: [email], logins: { [profile.codeHosts[0]]: login } };
    const span = { joinedDay: Math.floor(days * from), leftDay: Math.floor(days * to), isStranger: true };
    return { ...drawFrom(person, profile, calendar, random), ...span };
  });
  return [...people.map((person) => drawFrom(person, profile, calendar, random)), ...unknown];
}

function drawFrom(person: PersonRecord, profile: OrganisationProfile, calendar: WorkingCalendar, random: SeededRandom) {
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
  const joinedDay = created_date ? calendar.dayOfDate(created_date) : 0;
  const from = Math.max(joinedDay, 0);
  // Where no address is known, the login of another host is used, and nobody can say whose it is.
  const anyLogin = email === null ? (Object.values(logins)[0]?.[0] ?? null) : null;
  const on = (host: CodeHostName): Account => {
    const person_login = logins[host]?.[0] ?? anyLogin;
    return { person_login, person_email: person_login === null ? email : null };
  };
  // Some write ten times as much as others; those who manage write little.
  const share = !codes ? 0 : access_role === 'Owner' ? 0.1 : access_role === 'Manager' ? 0.3 : 1;
  // Assistants come first and coding agents later; both spread slowly, then fast, then slowly again.
  const place = Math.min(1, Math.max(0, 0.42 + random.deviate() / 4));
  const adoption = codes && main_email != null && !isBot ? activity.aiAdoption : 0;
  const hasAssistant = random.chance(adoption);
  const since = (span: number, end: number) => Math.floor(calendar.days - span * (1 - place * end));
  const assistant = { tool: random.pick(assistants), day: since(daysWithAssistants, 0.92) };
  const agent = { tool: random.pick(agents), day: since(daysWithAgents, 0.95) };
  return {
    ...{ name: name ?? '', isBot, isOnboarded, isStranger: false, emails, logins, joinedDay },
    teams: teams ?? [],
    weight: share * random.skewed(1, 0.75),
    // People who are no longer onboarded left at some time; some of those from outside are still there.
    leftDay:
      isOnboarded || isBot ? calendar.days : Math.round(from + (calendar.days - from) * random.between(0.25, 1.05)),
    phase: Math.round(random.deviate() * 0.7 * hour),
    assistant: hasAssistant ? assistant : undefined,
    agent: random.chance(adoption) && hasAssistant ? agent : undefined,
    accounts: { github: on('github'), gitlab: on('gitlab'), bitbucket: on('bitbucket') },
  };
}
