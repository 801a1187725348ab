import type { FullPerson } from '../../ask/people-answers.ts';

/** An account that records name and no person of the directory has. */
export interface SuggestedAccount {
  readonly source: string | null;
  readonly login: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly rows: number;
}

/** A person, with people and accounts that may be the same. */
export interface MergeSuggestion {
  readonly why: string;
  readonly name: string;
  readonly person: { readonly merged_user_id: string; readonly email: string | null };
  readonly may_be:
    | { readonly merged_user_id: string; readonly email: string | null }
    | { readonly account: SuggestedAccount };
}

export const suggestionsPath = '/app/people/suggestions';

/**
 * The fields that give an account to a person: their logins or addresses and one more, since a list replaces the
 * earlier one. The account's work then counts as theirs; its address, which anybody can put into a commit, does not
 * sign anybody in.
 */
export function fieldsWithAccount(
  person: FullPerson,
  { source, login, email }: SuggestedAccount,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (login !== null && source !== null) {
    const logins: Record<string, string[]> = {};
    for (const one of [...(person.logins ?? []), { source, login }]) {
      const known = logins[one.source] ?? [];
      logins[one.source] = known.includes(one.login) ? known : [...known, one.login];
    }
    fields.logins = logins;
  }
  if (email !== null) {
    fields.emails = [...new Set([...(person.emails ?? []), email])];
    fields.from_records = true;
  }
  return fields;
}
