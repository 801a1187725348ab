import type { FullPerson, PersonLogin } from '../../ask/people-answers.ts';

/** What the form about a person holds: texts, lists one a line. */
export interface PersonDraft {
  readonly name: string;
  readonly main_email: string;
  readonly emails: string;
  readonly logins: string;
  readonly job_title: string;
  readonly level: string;
  readonly location: string;
  readonly manager_email: string;
  readonly teams: string;
  readonly squads: string;
  readonly is_bot: boolean;
}

const names = (ones: readonly { readonly name: string }[] | undefined): string =>
  (ones ?? []).map(({ name }) => name).join('\n');

export const draftOfPerson = (person: FullPerson): PersonDraft => ({
  name: person.name,
  main_email: person.email ?? '',
  emails: (person.emails ?? []).join('\n'),
  logins: (person.logins ?? []).map(({ source, login }) => `${source}: ${login}`).join('\n'),
  job_title: person.job_title ?? '',
  level: person.level ?? '',
  location: person.location ?? '',
  manager_email: person.manager_email ?? '',
  teams: names(person.teams),
  squads: names(person.squads),
  is_bot: person.is_bot,
});

/** Only the fields that were changed: for the others, sources go on to set them. Null clears a field. */
export function personChanges(person: FullPerson, draft: PersonDraft): Readonly<Record<string, unknown>> {
  const before = draftOfPerson(person);
  const changed = (Object.keys(before) as (keyof PersonDraft)[]).filter(
    (field) => tidy(draft[field]) !== tidy(before[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, fieldValue(field, draft)]));
}

const tidy = (value: string | boolean): string | boolean =>
  typeof value === 'string' ? linesOf(value).join('\n') : value;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function fieldValue(field: keyof PersonDraft, draft: PersonDraft): unknown {
  if (field === 'is_bot') return draft.is_bot;
  if (field === 'emails' || field === 'teams' || field === 'squads') return linesOf(draft[field]);
  if (field === 'logins') return loginsBySource(loginsIn(draft.logins));
  return draft[field].trim() === '' ? null : draft[field].trim();
}

/** `github: ada`, one a line. A line without a source is for GitHub. */
export function loginsIn(text: string): readonly PersonLogin[] {
  return linesOf(text).map((line) => {
    const at = line.indexOf(':');
    return at < 0
      ? { source: 'github', login: line }
      : { source: line.slice(0, at).trim(), login: line.slice(at + 1).trim() };
  });
}

/** Logins as records have them: one for each source, or a list where there are several. */
function loginsBySource(logins: readonly PersonLogin[]): Readonly<Record<string, string | readonly string[]>> {
  const bySource = new Map<string, string[]>();
  for (const { source, login } of logins) bySource.set(source, [...(bySource.get(source) ?? []), login]);
  return Object.fromEntries(
    [...bySource].map(([source, some]) => [source, some.length === 1 ? (some[0] ?? '') : some]),
  );
}
