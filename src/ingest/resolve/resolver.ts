import { botAccounts } from '../../catalogue/derivation-state.ts';
import { codeHosts } from '../../catalogue/record-ids.ts';
import type { Row, Table, Value } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import { isBotLogin } from '../../directory/identifier.ts';
import { accountsOf } from '../../sources/kinds.ts';
import { keyOf } from '../../text-comparison.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';

/** How a record names a person. */
export interface NamedPerson {
  /** A person of the directory, named outright. */
  readonly linked: string | null;
  readonly source: string | null;
  /** Whose login it is, where that is not the source. */
  readonly loginSource: string | null;
  readonly login: string | null;
  readonly email: string | null;
  /** Whether the source calls the account a bot. */
  readonly saysBot: boolean | null;
}

interface Resolved {
  readonly merged_user_id: string | null;
  readonly is_bot: boolean;
  /** The person, or else the unknown account; null where nothing is said at all. */
  readonly actor: string | null;
}

interface Resolution extends Resolved {
  /** Whether the directory itself says if it is a bot: no record changes that. */
  readonly isSetByDirectory: boolean;
  readonly account: string | null;
}

interface KnownIdentity {
  readonly kind: 'email' | 'login';
  readonly source: string;
  readonly key: string;
  readonly person_id: string;
}

interface KnownPerson {
  readonly id: string;
  /** The person after all merges. */
  readonly effective_id: string;
  /** Whether the directory says that it is a bot, or that it is none; null where it says neither. */
  readonly stated_bot: boolean | null;
}

/** The source of a login that may be on any code host: coding agents know whose machine they run on, not which host. */
export const anyCodeHost = 'any code host';

/**
 * Finds whom a record means, by the rules of the directory and nothing weaker: a person named outright, the same email
 * address, the same login on the same source.
 */
export class Resolver {
  readonly #people: ReadonlyMap<string, KnownPerson>;
  readonly #emails = new Map<string, string>();
  readonly #logins = new Map<string, string>();
  /** People who have a login that only bots have. */
  readonly #botLogins = new Set<string>();
  /** Records name the same few accounts again and again, and folding a name costs more than looking it up. */
  readonly #answers = new Map<string, Resolution>();

  constructor(people: readonly KnownPerson[], identities: readonly KnownIdentity[]) {
    this.#people = new Map(people.map((person) => [person.id, person]));
    for (const { kind, source, key, person_id } of identities) {
      if (kind === 'email') this.#emails.set(key, person_id);
      else this.#logins.set(loginKey(source, key), person_id);
      if (kind === 'login' && isBotLogin(key)) this.#botLogins.add(person_id);
    }
  }

  /** Resolves who is named, given the accounts that most of their records call bots. */
  resolve(named: NamedPerson, bots: ReadonlySet<string> = noBots): Resolved {
    const answer = this.#find(named);
    const { is_bot, isSetByDirectory, account } = answer;
    const isMarked = !is_bot && !isSetByDirectory && account !== null && bots.has(account);
    return isMarked ? { ...answer, is_bot: true } : answer;
  }

  /** The account that is named, the same for every way of writing it; null where nothing is said at all. */
  accountOf(named: NamedPerson): string | null {
    return this.#find(named).account;
  }

  #find(named: NamedPerson): Resolution {
    const name = wayOfNaming(named);
    const known = this.#answers.get(name);
    if (known) return known;
    const answer = this.#answer(named);
    if (this.#answers.size >= maxAnswers) this.#answers.clear();
    this.#answers.set(name, answer);
    return answer;
  }

  #answer({ linked, source, loginSource, login, email, saysBot }: NamedPerson): Resolution {
    const emailKey = email === null ? '' : keyOf(email);
    const name = login === null ? '' : keyOf(login);
    const here = keyOf(loginSource ?? source ?? '');
    const place = accountsOf(here);
    const person =
      this.#person(linked) ??
      this.#person(this.#emails.get(emailKey)) ??
      this.#person(this.#logins.get(loginKey(here, name))) ??
      this.#person(this.#logins.get(loginKey(place, name))) ??
      (loginSource === null && source === anyCodeHost ? this.#onAnyHost(name) : undefined);
    const account =
      name !== ''
        ? `login:${place}:${name}`
        : emailKey !== ''
          ? `email:${emailKey}`
          : linked !== null && linked !== ''
            ? `id:${linked}`
            : null;
    const stated = person?.stated_bot ?? null;
    const hasBotLogin = isBotLogin(name) || (person !== undefined && this.#botLogins.has(person.id));
    return {
      merged_user_id: person?.id ?? null,
      // A record that names nobody has no account with others to vote with.
      is_bot: stated ?? (hasBotLogin || (account === null && saysBot === true)),
      isSetByDirectory: stated !== null,
      actor: person?.id ?? account,
      account,
    };
  }

  /** The one person with that login on a code host. Where two have it on two hosts, nobody is meant. */
  #onAnyHost(login: string): KnownPerson | undefined {
    const people = codeHosts.flatMap((host) => this.#person(this.#logins.get(loginKey(host, login))) ?? []);
    return new Set(people).size === 1 ? people[0] : undefined;
  }

  #person(id: string | null | undefined): KnownPerson | undefined {
    const person = id == null ? undefined : this.#people.get(id);
    return person && this.#people.get(person.effective_id);
  }
}

const maxAnswers = 200_000;
const none = '\0';
const noBots: ReadonlySet<string> = new Set();

const loginKey = (source: string, key: string): string => `${source}\n${key}`;

/** One text for each way of naming, quick to make for every row: what no text holds sets the parts apart. */
export const wayOfNaming = ({ linked, source, loginSource, login, email, saysBot }: NamedPerson): string =>
  `${linked ?? none}\0${source ?? none}\0${loginSource ?? none}\0${login ?? none}\0${email ?? none}\0${saysBot}`;

/** The way of naming as the text under which it is stored. */
export const accountId = ({ linked, source, loginSource, login, email, saysBot }: NamedPerson): string =>
  JSON.stringify([linked, source, login, email, saysBot, ...(loginSource === null ? [] : [loginSource])]);

/** Tables whose rows name a person themselves. */
export const namingTables: readonly FactTable[] = factTableNames.filter(
  (name) => (factTables[name] as Table).naming !== undefined,
);

/** The columns by which a row names its person. */
export const namingColumns = ({ naming }: Table): readonly string[] =>
  naming ? ['given_merged_user_id', 'source', 'person_source', 'person_login', naming.email, 'person_is_bot'] : [];

/** The columns that say who was found. */
export const foundPersonColumns = ['merged_user_id', 'is_bot', 'actor'] as const;

/** A blank name names nobody. */
const text = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export function namedPerson({ naming }: Table, row: Row): NamedPerson {
  const [source, login] = [text(row.source), text(row.person_login)];
  return {
    linked: text(row.given_merged_user_id),
    source: naming?.onAnyCodeHost && login !== null ? (source ?? anyCodeHost) : source,
    loginSource: text(row.person_source),
    login,
    email: text(naming && row[naming.email]),
    saysBot: typeof row.person_is_bot === 'boolean' ? row.person_is_bot : null,
  };
}

interface KnownPeople {
  readonly resolver: Resolver;
  readonly bots: ReadonlySet<string>;
}

/** Sets the person of a row. */
export function identify(table: Table, row: Record<string, Value>, { resolver, bots }: KnownPeople): void {
  const { merged_user_id, is_bot, actor } = resolver.resolve(namedPerson(table, row), bots);
  row.merged_user_id = merged_user_id;
  row.is_bot = is_bot;
  row.actor = actor;
}

/** Accounts that most of their records call bots. There are some hundreds of them at most, so all are read. */
export async function knownBots(session: TableReader): Promise<ReadonlySet<string>> {
  const rows = await session.select(botAccounts, ['account']);
  return new Set(rows.flatMap(({ account }) => account ?? []));
}
