import { type Static, Type } from 'typebox';
import { type Identifiers, maxIdentifiers } from '../../directory/onboarding.ts';
import { Refusal } from '../../refusal.ts';
import { notBlank } from './request-validation.ts';

const maxCharacters = 1_000;

/** An array or null as one schema rather than a choice of two, so that a violation names the entry that is wrong. */
const list = (description: string, examples: readonly string[]) =>
  Type.Optional(
    Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', pattern: notBlank, maxLength: maxCharacters },
      maxItems: maxIdentifiers,
      description,
      examples: [examples],
    }),
  );

export const identifierLists = Type.Object(
  {
    email_addresses: list('Email addresses: any address of a person, without regard to case.', ['ada@example.com']),
    github_usernames: list('Logins on a code host: any login of a person, without regard to case.', ['ada']),
  },
  {
    title: 'IdentifierLists',
    additionalProperties: false,
    description: `At least one of the two lists must be supplied. ${maxIdentifiers} identifiers at most in all.`,
    examples: [{ email_addresses: ['ada@example.com'], github_usernames: ['grace'] }],
  },
);
export type IdentifierLists = Static<typeof identifierLists>;

export const notFoundLists = Type.Object(
  { email_addresses: Type.Array(Type.String()), github_usernames: Type.Array(Type.String()) },
  { title: 'NotFound', description: 'Identifiers that matched no one, as they were sent. Both keys are always there.' },
);

/** The identifiers of a body that fits the schema, checked for what a schema cannot say. */
export function readIdentifiers(body: IdentifierLists): Identifiers {
  const emailAddresses = body.email_addresses ?? [];
  const githubUsernames = body.github_usernames ?? [];
  const count = emailAddresses.length + githubUsernames.length;
  if (count === 0) {
    throw new Refusal(
      'bad-input',
      'At least one of email_addresses, github_usernames must be supplied, with at least one identifier in it.',
    );
  }
  if (count > maxIdentifiers) {
    throw new Refusal(
      'bad-input',
      `${count} identifiers are too many: at most ${maxIdentifiers} are accepted in one request, in both lists together.`,
    );
  }
  refuseUnprintable('email_addresses', emailAddresses);
  refuseUnprintable('github_usernames', githubUsernames);
  return { emailAddresses, githubUsernames };
}

/** Halves of surrogate pairs and control characters are in nobody's identifier, and databases refuse to compare them. */
function refuseUnprintable(field: string, identifiers: readonly string[]): void {
  const place = identifiers.findIndex((identifier) => /[\p{Cc}\p{Cs}]/u.test(identifier.trim()));
  if (place === -1) return;
  throw new Refusal('bad-input', `${field}[${place}] contains a control character or a broken Unicode character.`);
}

export const notFoundOf = ({ emailAddresses, githubUsernames }: Identifiers): Static<typeof notFoundLists> => ({
  email_addresses: [...emailAddresses],
  github_usernames: [...githubUsernames],
});

export const warningsOf = ({ emailAddresses, githubUsernames }: Identifiers): string[] =>
  emailAddresses.length + githubUsernames.length === 0 ? [] : ['Some users were not found'];
