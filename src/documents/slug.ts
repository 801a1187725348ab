import { Refusal } from '../refusal.ts';

const maxLength = 60;
const form = /^[a-z0-9-]{1,60}$/;

export function refuseSlug(slug: string, kind: string): void {
  if (form.test(slug)) return;
  throw new Refusal(
    'bad-input',
    `The name of the ${kind} must be a–z, 0–9 and '-', at most ${maxLength} characters, not '${slug.slice(0, 80)}'.`,
  );
}

/** The name in a document, which has to be the one in the address where it is given. */
export function slugIn(document: Readonly<Record<string, unknown>>, kind: string, slug: string): string {
  const written = document[kind];
  if (written === undefined || written === slug) return slug;
  throw new Refusal(
    'bad-input',
    `${kind} must be '${slug}', the name in the address, or left out, not ${JSON.stringify(written)?.slice(0, 80)}.`,
  );
}
