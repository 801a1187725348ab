import { isObject } from '../catalogue/field-values.ts';
import { defaultHost, type References, UnmatchedReferences } from '../catalogue/record-ids.ts';
import type { RecordTable } from '../catalogue/record-tables.ts';
import { orderColumn, type Table } from '../catalogue/table.ts';
import { factTables, isFactTable } from '../catalogue/tables/all-tables.ts';
import type { FindingsInput, ImportFindings, NamedAccount } from '../control/import-findings.ts';
import type { ForeignLine } from '../ingest/read/foreign/foreign-lines.ts';

import { keyOf } from '../text-comparison.ts';

/** With more accounts than this the file is a whole code host, in which unusual people mean nothing. */
const maxAccounts = 20_000;
const maxNamed = 5;

type SeenAccount = { -readonly [N in keyof NamedAccount]: NamedAccount[N] };

/** The people and repositories that the records of an import name, and whether the records have dates. */
export class SeenRecords {
  readonly #dateColumn: string | undefined;
  readonly #accounts = new Map<string, SeenAccount>();
  readonly #repositories = new Map<string, string>();
  readonly #leftOut = new Map<string, number>();
  readonly #unmatched = new UnmatchedReferences();
  #undated = 0;
  #isHostless = false;

  constructor(table: RecordTable) {
    this.#dateColumn = isFactTable(table) ? orderColumn(factTables[table] as Table) : undefined;
  }

  add(line: ForeignLine): void {
    const record = 'value' in line ? line.value : undefined;
    if (!isObject(record) || record._deleted) return;
    this.#isHostless ||= line.isHostAssumed === true;
    const { person_login, person_email, person_is_bot, repository } = record;
    this.#addAccount(textOf(person_login), textOf(person_email), person_is_bot);
    const name = textOf(repository);
    if (name !== null && this.#repositories.size < maxAccounts) this.#repositories.set(keyOf(name), name);
    if (this.#dateColumn !== undefined && textOf(record[this.#dateColumn]) === null) this.#undated += 1;
  }

  leaveOut(what: string): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
  }

  addUnmatched(references: References | undefined): void {
    this.#unmatched.add(references);
  }

  /** The lines that were neither taken nor rejected. */
  get leftOutSentences(): readonly string[] {
    return [...this.#leftOut].map(
      ([what, count]) => `${counted(count, ['record was', 'records were'])} left out: ${what}.`,
    );
  }

  get input(): Omit<FindingsInput, 'org'> {
    return { accounts: [...this.#accounts.values()], repositories: [...this.#repositories.values()] };
  }

  /** Whether there is anything to ask the directory about. */
  get namesAnything(): boolean {
    return this.#accounts.size > 0 || this.#repositories.size > 0;
  }

  /** The unusual findings, each in a sentence. */
  sentences({ unknownAccounts, notOnboarded, disputedBots, unknownRepositories }: ImportFindings): string[] {
    return [
      ...sentence(unknownAccounts, ['account belongs', 'accounts belong'], 'to no one in the directory', unknownAdvice),
      ...sentence(notOnboarded, ['person is', 'people are'], 'not in metrics, so their work is not counted', ''),
      ...sentence(disputedBots, ['account is', 'accounts are'], 'marked both as a bot and as a person', disputedAdvice),
      ...sentence(unknownRepositories, ['repository is', 'repositories are'], 'not in the directory', ''),
      ...sentence(
        Object.values(this.#unmatched.found.unmatched ?? {}).flat(),
        ['reference matches', 'references match'],
        'nothing',
        'They are kept, and count once what they name is imported.',
      ),
      ...(this.#undated === 0
        ? []
        : [
            `${counted(this.#undated, ['row has', 'rows have'])} no ${this.#dateColumn}: no window of time finds them by it.`,
          ]),
      ...(!this.#isHostless
        ? []
        : [`No code host is said, so ${defaultHost} is taken. --set source=gitlab or bitbucket says another.`]),
    ];
  }

  #addAccount(login: string | null, email: string | null, isBot: unknown): void {
    const key = keyOf(email ?? login ?? '');
    if (key === '') return;
    const known = this.#accounts.get(key) ?? { login, email, isCalledBot: false, isCalledPerson: false };
    if (isBot === true || /^(true|1)$/i.test(String(isBot))) known.isCalledBot = true;
    if (isBot === false || /^(false|0)$/i.test(String(isBot))) known.isCalledPerson = true;
    if (this.#accounts.size < maxAccounts) this.#accounts.set(key, known);
  }
}

const unknownAdvice = '`plumb person unknown` lists such accounts. `plumb person set` adds them to their people.';
const disputedAdvice = 'What most records say counts. `plumb person set … is_bot=true` or `is_bot=false` decides it.';

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : typeof value === 'number' ? String(value) : null;

const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

function sentence(names: readonly string[], words: readonly [string, string], what: string, advice: string): string[] {
  if (names.length === 0) return [];
  const more = names.length - maxNamed;
  const shown = [...names.slice(0, maxNamed), ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])];
  return [`${counted(names.length, words)} ${what}: ${shown.join(', ')}.${advice === '' ? '' : ` ${advice}`}`];
}
