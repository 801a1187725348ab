import type { PersonRecord } from '../catalogue/directory-records.ts';
import { withoutTrailing } from '../trailing-characters.ts';
import type { PersonName } from './names.ts';
import type { Drawing, Seat } from './org-chart.ts';
import type { OrganisationProfile } from './organisation-profile.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The email addresses and logins of one organisation, each of which belongs to one person, whatever its case. */
export class TakenIdentities {
  readonly #taken = new Set<string>();
  readonly #lastNumber = new Map<string, number>();
  readonly email = (localParts: readonly string[], domain: string) => `${this.claim(domain, localParts)}@${domain}`;

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
}

const personalDomains = ['postbox.example', 'letterfold.example', 'mailgarden.example'];
const pastimes = ['builds', 'codes', 'dev', 'makes', 'ships', 'tinkers'];
const slackLetters = [...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'];

/** Draws addresses and logins, with the habits that make a directory hard to keep. */
export function drawIdentities({ profile, random }: Drawing, seats: readonly Seat[], taken: TakenIdentities): void {
  const { slug, email, codeHosts, tools, shares, owner } = profile;
  const [host, secondHost] = codeHosts;
  const members = seats.filter(({ standing }) => standing === 'member');
  const coders = members.filter(({ codes }) => codes);
  // Managers and leads are named by their address, so they have one.
  const engineers = coders.filter(({ accessRole }) => accessRole === 'Engineer');
  const withoutEmail = random.share(engineers, shares.withoutEmail);
  // The top has the plain identity that examples are written with.
  const addressed = seats.filter((seat) => seat.standing !== 'top' && !withoutEmail.has(seat));
  const withFormerName = addressed.filter(({ name }) => name.formerFamily !== undefined);
  const changedName = random.share(withFormerName, 0.04);
  const changedDomain = random.share(addressed, 0.08);
  const personal = random.share(addressed, shares.personalEmail);
  const inCapitals = random.share(addressed, 0.03);
  const twoAccounts = random.share(coders, 0.04);
  const planners = members.filter(({ codes }) => !codes);
  const withoutLogin = random.share(planners, 0.2);

  for (const seat of seats) {
    const { given, family, formerFamily = '' } = seat.name;
    const localParts = localPartsOf(email.form, given, family);
    // Mail servers do not mind case, and some people's signatures show it.
    const written = inCapitals.has(seat) ? localParts.map((part) => part.toUpperCase()) : localParts;
    const emails = withoutEmail.has(seat) ? [] : [taken.email(written, `${slug}.example`)];
    // Where addresses are first names only the long form shows the old family name.
    const former = localPartsOf(email.form, given, formerFamily).slice(email.form === 'given' ? -1 : 0);
    if (changedName.has(seat)) emails.push(taken.email(former, `${slug}.example`));
    if (changedDomain.has(seat)) emails.push(taken.email(localParts, email.formerDomain));
    if (personal.has(seat)) emails.push(taken.email([`${given}${family}`], random.pick(personalDomains)));
    seat.emails = emails;

    if (seat.standing === 'people-partner' || withoutLogin.has(seat)) continue;
    const logins: Record<string, string | readonly string[]> = {};
    if (seat.codes) {
      const handle = taken.claim(host, seat.standing === 'top' ? [owner.login] : drawHandles(seat.name, random));
      logins[host] = twoAccounts.has(seat) ? [handle, taken.claim(host, [`${handle}-work`])] : handle;
      if (secondHost && random.chance(0.4)) logins[secondHost] = taken.claim(secondHost, [handle]);
    }
    for (const workplace of tools.workplaces) {
      if (seat.standing === 'outsider' && random.chance(0.5)) continue;
      // Trackers name people; chat hands out identifiers that say nothing.
      const chatId = `U0${Array.from({ length: 9 }, () => random.pick(slackLetters)).join('')}`;
      const own = workplace === 'slack' ? [chatId] : localPartsOf('given.family', given, family);
      logins[workplace] = taken.claim(workplace, own);
    }
    seat.logins = logins;
  }
}

function localPartsOf(form: OrganisationProfile['email']['form'], given: string, family: string): string[] {
  if (family === '') return [given];
  const full = `${given}.${family}`;
  return form === 'given.family' ? [full] : [form === 'given' ? given : `${given.charAt(0)}${family}`, full];
}

/** Logins that people choose themselves: letters, digits and single hyphens, at most 39 with what is added to them. */
function drawHandles({ given, family }: PersonName, random: SeededRandom): string[] {
  const own = [`${given}${random.integer(70, 99)}`, `${given}-${random.pick(pastimes)}`];
  const full = [`${given}-${family}`, `${given}${family}`, `${given.charAt(0)}${family}`, `${family}-${given}`];
  const styles = [...(family === '' ? [given] : full), ...own];
  return random.sample(styles, 3).map((handle) => withoutTrailing(handle.slice(0, 30), '-'));
}

/** The accounts that no person uses. Apps on GitHub carry [bot] in their login; elsewhere only the mark says so. */
export function botRecords({ slug, name, founded, codeHosts }: OrganisationProfile, taken: TakenIdentities) {
  const bot = (host: string, login: string): PersonRecord => {
    const claimed = taken.claim(host, [login]);
    const logins = { logins: { [host]: claimed }, ...(host === 'github' && { github_username: claimed }) };
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
