import type { Blueprint, CodeHost, LoginSource } from './blueprint.ts';
import { capitalised, handles, workplaceLogins } from './logins.ts';
import type { DrawnName } from './names/cultures.ts';
import type { Name } from './names/name.ts';
import type { Persona } from './personas.ts';
import type { Seat } from './seats.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { TakenIdentities } from './taken-identities.ts';

/** How a person is known: by addresses, the main one first, and by logins. At least one of the two is there. */
export interface Identity {
  readonly emails: readonly string[];
  readonly logins: Readonly<Partial<Record<LoginSource, string | readonly string[]>>>;
}

/** Providers of private addresses, under a domain that is reserved and can never receive a message. */
const personalDomains = ['postbox.example', 'letterfold.example', 'mailgarden.example'] as const;

/** Who has which of the habits that make a directory hard to keep. */
interface Oddities {
  readonly withoutEmail: ReadonlySet<Seat>;
  readonly withoutLogin: ReadonlySet<Seat>;
  readonly changedName: ReadonlySet<Seat>;
  readonly changedDomain: ReadonlySet<Seat>;
  readonly personal: ReadonlySet<Seat>;
  readonly shouting: ReadonlySet<Seat>;
  readonly twoAccounts: ReadonlySet<Seat>;
}

export function drawIdentities(
  blueprint: Blueprint,
  personas: ReadonlyMap<Seat, Persona>,
  leads: ReadonlySet<Seat>,
  taken: TakenIdentities,
  random: SeededRandom,
): ReadonlyMap<Seat, Identity> {
  const oddities = drawOddities(blueprint, personas, leads, random.fork('oddities'));
  const identities = new Map<Seat, Identity>();
  for (const [seat, { name }] of personas) {
    identities.set(seat, {
      emails: emailsOf(blueprint, seat, name, oddities, taken, random),
      logins: loginsOf(blueprint, seat, name, oddities, taken, random),
    });
  }
  return identities;
}

function drawOddities(
  { habits }: Blueprint,
  personas: ReadonlyMap<Seat, Persona>,
  leads: ReadonlySet<Seat>,
  random: SeededRandom,
): Oddities {
  const seats = [...personas.keys()];
  const coders = seats.filter(({ standing, codes }) => standing === 'member' && codes);
  const planners = seats.filter(({ standing, codes }) => standing === 'member' && !codes);
  const partner = seats.filter(({ standing }) => standing === 'people-partner');
  // Managers and leads are named by their address, so they have one.
  const withoutEmail = random.share(
    coders.filter((seat) => !leads.has(seat)),
    habits.withoutEmail,
  );
  // The top has the plain identity that examples are written with.
  const addressed = seats.filter((seat) => seat.standing !== 'top' && !withoutEmail.has(seat));
  const renamed = addressed.filter((seat) => personas.get(seat)?.name.formerFamily !== undefined);
  return {
    withoutEmail,
    withoutLogin: new Set([...random.share(planners, 0.2), ...partner]),
    changedName: random.share(renamed, 0.04),
    changedDomain: random.share(addressed, 0.08),
    personal: random.share(addressed, habits.personalEmail),
    shouting: random.share(addressed, 0.03),
    twoAccounts: random.share(coders, 0.04),
  };
}

function emailsOf(
  { emailDomain, formerDomain, emailForm }: Blueprint,
  seat: Seat,
  name: DrawnName,
  oddities: Oddities,
  taken: TakenIdentities,
  random: SeededRandom,
): readonly string[] {
  if (oddities.withoutEmail.has(seat)) return [];
  const localParts = localPartsOf(emailForm, name);
  // Mail servers do not mind case, and some people's signatures show it.
  const written = oddities.shouting.has(seat) ? localParts.map(shouted) : localParts;
  const emails = [taken.claimEmail(written, emailDomain)];
  if (oddities.changedName.has(seat) && name.formerFamily !== undefined) {
    const former = localPartsOf(emailForm, { ...name, family: name.formerFamily });
    // Where addresses are first names the form alone would not show the old family name.
    emails.push(taken.claimEmail(emailForm === 'given' ? former.slice(-1) : former, emailDomain));
  }
  if (oddities.changedDomain.has(seat)) emails.push(taken.claimEmail(localParts, formerDomain));
  if (oddities.personal.has(seat)) {
    const own = [`${name.given}${name.family}`, `${name.given}.${name.family || 'mail'}`];
    emails.push(taken.claimEmail(own, random.pick(personalDomains)));
  }
  return emails;
}

/** The ways an organisation writes a name into an address, the preferred one first. */
function localPartsOf(form: Blueprint['emailForm'], { given, family }: Name): readonly string[] {
  if (family === '') return [given];
  const full = `${given}.${family}`;
  return { 'given.family': [full], given: [given, full], 'initial-family': [`${given.charAt(0)}${family}`, full] }[
    form
  ];
}

function shouted(localPart: string): string {
  const [first = '', ...rest] = localPart.split('.');
  return [capitalised(first), ...rest.map((part) => part.toUpperCase())].join('.');
}

function loginsOf(
  { codeHost, secondCodeHost, workplaces, owner }: Blueprint,
  seat: Seat,
  name: Name,
  oddities: Oddities,
  taken: TakenIdentities,
  random: SeededRandom,
): Identity['logins'] {
  if (oddities.withoutLogin.has(seat)) return {};
  const logins: Partial<Record<LoginSource, string | readonly string[]>> = {};
  if (seat.codes) {
    const preferred = seat.standing === 'top' ? [owner.login] : handles(name, random);
    const handle = taken.claimLogin(codeHost, preferred);
    logins[codeHost] = oddities.twoAccounts.has(seat)
      ? [handle, taken.claimLogin(codeHost, [`${handle}-work`])]
      : handle;
    if (secondCodeHost && random.chance(0.4)) logins[secondCodeHost] = taken.claimLogin(secondCodeHost, [handle]);
  }
  for (const workplace of workplaces) {
    // Half of those from outside were never let into the tracker or the chat.
    if (seat.standing === 'outsider' && random.chance(0.5)) continue;
    logins[workplace] = taken.claimLogin(workplace, workplaceLogins(workplace, name, random));
  }
  return logins;
}

/** The login that a person is known by on a code host. */
export function mainLogin({ logins }: Identity, host: CodeHost): string | undefined {
  const login = logins[host];
  return typeof login === 'string' ? login : login?.[0];
}
