import type { FieldValues } from '../catalogue/field-values.ts';
import type { AiCopilotRow } from '../catalogue/tables/ai-copilot.ts';
import { compareTexts, keyOf } from '../text-comparison.ts';

/** The columns of a day with an assistant that are summed. */
type SummedColumn = {
  [N in keyof AiCopilotRow]: AiCopilotRow[N] extends number | null ? N : never;
}[keyof AiCopilotRow];

type DayCounts = Readonly<Partial<Record<Exclude<SummedColumn, 'cost_usd'>, number | undefined>>>;

/** An account that is no person's, such as a key, is a login of the assistant, and a bot's. */
export type ReportedPerson = { readonly email: string } | { readonly login: string; readonly isBot?: true };

/** A part of what one person did on one day: of one terminal, one model or one request. */
export interface DayPart {
  readonly date: string;
  readonly person: ReportedPerson;
  readonly isActive?: boolean;
  /** A count that is undefined is unknown. */
  readonly counts: DayCounts;
  /** In cents of a US dollar. */
  readonly costCents?: number | undefined;
  /** How much was done with each model. */
  readonly models?: readonly (readonly [name: string, amount: number])[];
}

interface PersonDay {
  readonly person: ReportedPerson;
  readonly date: string;
  isActive: boolean | undefined;
  readonly counts: Map<string, number>;
  /** Whole numbers add up to the same in every order. */
  costMillionths: number | undefined;
  readonly models: Map<string, number>;
}

/** Names that stand for several models, or for none that is known. */
const nameless: ReadonlySet<string> = new Set(['auto', 'default', 'others', 'unknown']);

/** Whether a name is that of one model or language. */
export const isNamed = (name: string): boolean => !nameless.has(name.toLowerCase());

const millionthsOfCent = 1_000_000;
const millionthsOfCentInDollar = 100 * millionthsOfCent;

/**
 * Days of people with an assistant, summed over everything that a provider reports of each, since a person and a day are one
 * row. What no part reports is left out of the record: it is unknown, and not none.
 */
export class PersonDays {
  readonly #source: string;
  readonly #days = new Map<string, PersonDay>();

  constructor(source: string) {
    this.#source = source;
  }

  add({ date, person, isActive, counts, costCents, models = [] }: DayPart): void {
    const day = this.#dayOf(person, date);
    if (isActive !== undefined) day.isActive = isActive || day.isActive === true;
    for (const [column, count] of Object.entries(counts)) {
      if (count !== undefined) day.counts.set(column, (day.counts.get(column) ?? 0) + count);
    }
    if (costCents !== undefined) {
      day.costMillionths = (day.costMillionths ?? 0) + Math.round(costCents * millionthsOfCent);
    }
    for (const [name, amount] of models) {
      if (isNamed(name)) day.models.set(name, (day.models.get(name) ?? 0) + amount);
    }
  }

  /** In the order of days and people, whatever the order of the parts was. */
  records(): FieldValues[] {
    return [...this.#days].sort(([one], [other]) => compareTexts(one, other)).map(([, day]) => this.#recordOf(day));
  }

  #dayOf(person: ReportedPerson, date: string): PersonDay {
    const key = `${date} ${'email' in person ? `email:${keyOf(person.email)}` : `login:${keyOf(person.login)}`}`;
    const known = this.#days.get(key);
    if (known) return known;
    const day = { person, date, isActive: undefined, counts: new Map(), costMillionths: undefined, models: new Map() };
    this.#days.set(key, day);
    return day;
  }

  #recordOf({ person, date, isActive, counts, costMillionths, models }: PersonDay): FieldValues {
    const model = mostUsed(models);
    return {
      source: this.#source,
      date,
      // Reports of one assistant may write the same address in several ways.
      ...('email' in person
        ? { person_email: person.email.trim().toLowerCase() }
        : { person_login: person.login, ...(person.isBot && { person_is_bot: true }) }),
      ...(isActive !== undefined && { is_active: isActive }),
      ...Object.fromEntries([...counts].sort(([one], [other]) => compareTexts(one, other))),
      ...(costMillionths !== undefined && { cost_usd: costMillionths / millionthsOfCentInDollar }),
      ...(model !== undefined && { model }),
    };
  }
}

/** Of several that were used as much the first by name. */
function mostUsed(models: ReadonlyMap<string, number>): string | undefined {
  const [first] = [...models]
    .filter(([, amount]) => amount > 0)
    .sort(([one, some], [other, more]) => more - some || compareTexts(one, other));
  return first?.[0];
}
