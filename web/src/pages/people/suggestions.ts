import type { FullPerson } from '../../ask/people-answers.ts';

/** An account that records name and that belongs to no person in the directory. */
export interface SuggestedAccount {
  readonly source: string | null;
  readonly login: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly rows: number;
}

/** A person, and who or what may be the same. */
export interface MergeSuggestion {
  readonly why: string;
  readonly name: string;
  readonly person: { readonly merged_user_id: string; readonly email: string | null };
  readonly may_be:
    | { readonly merged_user_id: string; readonly email: string | null }
    | { readonly account: SuggestedAccount };
}

export const suggestionsPath = '/app/people/suggestions';

export const accountInWords = ({ login, email, source }: SuggestedAccount): string =>
  `${login ?? email ?? 'unnamed'}${source ? ` (${source})` : ''}`;

/**
 * The fields that make an account a person's: their logins or addresses with one more. Lists replace what is known. The
 * work of the account is theirs then; its address, which anybody can put into a commit, does not say who signs in.
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
