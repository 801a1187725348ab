import type { PersonRecord } from '../catalogue/directory-records.ts';
import type { Name } from './names/names.ts';
import type { Seat } from './org-chart.ts';
import type { OrganisationProfile } from './organisation-profile.ts';
import type { SeededRandom } from './seeded-random.ts';

/** How a person is known: by addresses, the main one first, and by logins. At least one of the two is there. */
export interface Identity {
  readonly emails: readonly string[];
  readonly logins: Readonly<Record<string, string | readonly string[]>>;
}

/** The email addresses and logins of one organisation, each of which belongs to one person, whatever its case. */
export class TakenIdentities {
  readonly #taken = new Set<string>();
  readonly #lastNumber = new Map<string, number>();

  /** The first free candidate, else the last one with the next number, as mail administrators do it. */
  claim(source: string, candidates: readonly string[]): string {
    const last = candidates.at(-1) ?? '';
    const isFree = (candidate: string) => !this.#taken.has(`${source}:${candidate.toLowerCase()}`);
    let number = this.#lastNumber.get(`${source}:${last}`) ?? 1;
    let claimed = candidates.find(isFree);
    for (; claimed === undefined; number += 1) if (isFree(`${last}${number + 1}`)) claimed = `${last}${number + 1}`;
    this.#lastNumber.set(`${source}:${last}`, number);
    this.#taken.add(`${source}:${claimed.toLowerCase()}`);
    return claimed;
  }

  email(localParts: readonly string[], domain: string): string {
    return `${this.claim(domain, localParts)}@${domain}`;
  }
}

/** Providers of private addresses, under a domain that is reserved and can never receive a message. */
const personalDomains = ['postbox.example', 'letterfold.example', 'mailgarden.example'];
const pastimes = ['builds', 'codes', 'dev', 'makes', 'ships', 'tinkers'];
const slackLetters = [...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'];

/** Draws addresses and logins, with the habits that make a directory hard to keep. */
export function drawIdentities(
  { slug, email, codeHosts, tools, shares, owner }: OrganisationProfile,
  names: ReadonlyMap<Seat, Name>,
  taken: TakenIdentities,
  random: SeededRandom,
): ReadonlyMap<Seat, Identity> {
  const seats = [...names.keys()];
  const members = seats.filter(({ standing }) => standing === 'member');
  const coders = members.filter(({ codes }) => codes);
  // Managers and leads are named by their address, so they have one.
  const engineers = coders.filter(({ accessRole }) => accessRole === 'Engineer');
  const withoutEmail = random.share(engineers, shares.withoutEmail);
  // The top has the plain identity that examples are written with.
  const addressed = seats.filter((seat) => seat.standing !== 'top' && !withoutEmail.has(seat));
  const renamed = addressed.filter((seat) => names.get(seat)?.formerFamily !== undefined);
  const changedName = random.share(renamed, 0.04);
  const changedDomain = random.share(addressed, 0.08);
  const personal = random.share(addressed, shares.personalEmail);
  const inCapitals = random.share(addressed, 0.03);
  const twoAccounts = random.share(coders, 0.04);
  const withoutLogin = random.share(
    members.filter(({ codes }) => !codes),
    0.2,
  );

  const emailsOf = (seat: Seat, { given, family, formerFamily = '' }: Name): string[] => {
    if (withoutEmail.has(seat)) return [];
    const localParts = localPartsOf(email.form, given, family);
    // Mail servers do not mind case, and some people's signatures show it.
    const written = inCapitals.has(seat) ? localParts.map((part) => part.toUpperCase()) : localParts;
    const emails = [taken.email(written, `${slug}.example`)];
    if (changedName.has(seat)) {
      const former = localPartsOf(email.form, given, formerFamily);
      // Where addresses are first names only the long form shows the old family name.
      emails.push(taken.email(email.form === 'given' ? former.slice(-1) : former, `${slug}.example`));
    }
    if (changedDomain.has(seat)) emails.push(taken.email(localParts, email.formerDomain));
    if (personal.has(seat)) emails.push(taken.email([`${given}${family}`], random.pick(personalDomains)));
    return emails;
  };

  const loginsOf = (seat: Seat, name: Name): Identity['logins'] => {
    const logins: Record<string, string | readonly string[]> = {};
    if (seat.standing === 'people-partner' || withoutLogin.has(seat)) return logins;
    const [host, secondHost] = codeHosts;
    if (seat.codes) {
      const handle = taken.claim(host, seat.standing === 'top' ? [owner.login] : drawHandles(name, random));
      logins[host] = twoAccounts.has(seat) ? [handle, taken.claim(host, [`${handle}-work`])] : handle;
      if (secondHost && random.chance(0.4)) logins[secondHost] = taken.claim(secondHost, [handle]);
    }
    for (const workplace of tools.workplaces) {
      // Half of those from outside were never let into the tracker or the chat.
      if (seat.standing === 'outsider' && random.chance(0.5)) continue;
      // Trackers name people; chat hands out identifiers that say nothing.
      const chatId = `U0${Array.from({ length: 9 }, () => random.pick(slackLetters)).join('')}`;
      const own = workplace === 'slack' ? [chatId] : localPartsOf('given.family', name.given, name.family);
      logins[workplace] = taken.claim(workplace, own);
    }
    return logins;
  };
  const identityOf = (seat: Seat, name: Name) => ({ emails: emailsOf(seat, name), logins: loginsOf(seat, name) });
  return new Map([...names].map(([seat, name]) => [seat, identityOf(seat, name)]));
}

/** The ways an organisation writes a name into an address, the preferred one first. */
function localPartsOf(form: OrganisationProfile['email']['form'], given: string, family: string): string[] {
  if (family === '') return [given];
  const full = `${given}.${family}`;
  return form === 'given.family' ? [full] : [form === 'given' ? given : `${given.charAt(0)}${family}`, full];
}

/** Logins that people choose themselves: letters, digits and single hyphens, at most 39 with what is added to them. */
function drawHandles({ given, family }: Name, random: SeededRandom): string[] {
  const own = [`${given}${random.integer(70, 99)}`, `${given}-${random.pick(pastimes)}`];
  const full = [`${given}-${family}`, `${given}${family}`, `${given.charAt(0)}${family}`, `${family}-${given}`];
  const styles = [...(family === '' ? [given] : full), ...own];
  return random.sample(styles, 3).map((handle) => handle.slice(0, 30).replace(/-+$/, ''));
}

/** The accounts that no person uses. Apps on GitHub carry [bot] in their login; elsewhere only the mark says so. */
export function botRecords({ slug, name, founded, codeHosts }: OrganisationProfile, taken: TakenIdentities) {
  const bot = (host: string, login: string): PersonRecord => {
    const claimed = taken.claim(host, [login]);
    const logins = { logins: { [host]: claimed }, ...(host === 'github' && { github_username: claimed }) };
    // Code hosts had no bots before.
    const created_date = founded > '2019-06-03' ? founded : '2019-06-03';
    return { name: login, ...logins, is_bot: true, onboarded: false, created_date };
  };
  const main_email = taken.email(['ci'], `${slug}.example`);
  const onGithub = codeHosts.includes('github');
  const raisers = onGithub ? ['dependabot[bot]', 'renovate[bot]'] : ['renovate-bot'];
  return [
    ...raisers.map((login) => bot(onGithub ? 'github' : codeHosts[0], login)),
    { ...bot(codeHosts[0], `${slug}-ci`), name: `${name} CI`, main_email, emails: [main_email] },
  ];
}
