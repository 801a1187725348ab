import { describe, expect, test } from 'vitest';
import type { PersonRecord } from '../../src/catalogue/directory-records.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { times } from '../setup/how-long.ts';

const seeds = ['plumb', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].slice(0, times(3, 8));
const organisations = seeds.flatMap((seed) => demoOrganisations({ seed, scale: 1 }));

function loginsOf({ logins }: PersonRecord): readonly (readonly [source: string, login: string])[] {
  return Object.entries((logins ?? {}) as Readonly<Record<string, string | readonly string[]>>).flatMap(
    ([source, login]) => [login].flat().map((one) => [source, one] as const),
  );
}

function identitiesOf(person: PersonRecord): readonly string[] {
  const emails = new Set([...(person.emails ?? []), ...(person.main_email ? [person.main_email] : [])]);
  return [
    ...[...emails].map((email) => `email ${email.toLowerCase()}`),
    ...loginsOf(person).map(([source, login]) => `${source} ${login.toLowerCase()}`),
  ];
}

describe('the identities of the demo people', () => {
  test.each([1, 200])(
    'The identities of the demo people are shared by no two of them, whatever the case, at scale %d',
    (scale) => {
      for (const { people } of scale === 1 ? organisations : demoOrganisations({ seed: 'plumb', scale })) {
        const identities = people.flatMap(identitiesOf);
        expect(new Set(identities).size).toBe(identities.length);
      }
    },
  );

  test('The identities of the demo people tell who everybody is: each person has one at least', () => {
    for (const { people } of organisations) {
      for (const person of people) expect(identitiesOf(person).length, person.name ?? '').toBeGreaterThan(0);
    }
  });

  test('The identities of the demo people use only addresses in plain letters under the reserved domain, the main one among them', () => {
    for (const { people } of organisations) {
      for (const { emails, main_email } of people) {
        expect(emails?.[0]).toBe(main_email);
        for (const email of emails ?? []) expect(email).toMatch(/^[a-z]+([.-]?[a-z0-9]+)*@[a-z-]+\.example$/i);
      }
    }
  });

  test('The identities of the demo people use only logins that GitHub would take, and repeat the first of them as the GitHub username', () => {
    for (const { people } of organisations) {
      for (const person of people) {
        const github = loginsOf(person).filter(([source]) => source === 'github');
        expect(person.github_username).toBe(github[0]?.[1]);
        for (const [, login] of github) {
          expect(login).toMatch(/^(?=.{1,39}$)[a-z0-9]+(-[a-z0-9]+)*(\[bot\])?$/i);
        }
      }
    }
  });

  test('The identities of the demo people come from GitHub, GitLab, Bitbucket, Jira and Slack, in other mixtures per organisation', () => {
    const mixtures = demoOrganisations({ seed: 'plumb', scale: 1 }).map(({ people }) =>
      [...new Set(people.flatMap((person) => loginsOf(person).map(([source]) => source)))].sort(),
    );
    expect(new Set(mixtures.flat())).toEqual(new Set(['github', 'gitlab', 'bitbucket', 'jira', 'slack']));
    expect(new Set(mixtures.map((mixture) => mixture.join())).size).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ['no login', (person: PersonRecord) => person.main_email != null && loginsOf(person).length === 0],
    ['no email address, only a login', (person) => person.emails === undefined && !person.is_bot],
    ['several addresses', (person) => (person.emails?.length ?? 0) > 1],
    [
      'two addresses at the same employer, one under an older name',
      ({ emails }) => new Set(emails?.map((email) => email.split('@')[1])).size < (emails?.length ?? 0),
    ],
    [
      'a private address',
      ({ emails }) => emails?.some((email) => /@(postbox|letterfold|mailgarden)\.example$/.test(email)) ?? false,
    ],
    ['an address in capitals', ({ main_email }) => /[A-Z]/.test(main_email ?? '')],
    [
      'two accounts on one code host',
      ({ logins }) => Object.values((logins ?? {}) as Readonly<Record<string, unknown>>).some(Array.isArray),
    ],
  ] satisfies [string, (person: PersonRecord) => boolean][])(
    'The identities of the demo people include somebody with %s, in every organisation',
    (_, is) => {
      for (const { people, slug } of organisations) expect(people.some(is), slug).toBe(true);
    },
  );

  test('The identities of the demo people include one person listed twice under one name, as outsider and as employee, to be merged by hand', () => {
    for (const { people, slug } of organisations) {
      const onboarded = new Set(people.filter((person) => person.onboarded).map(({ name }) => name));
      const twice = people.filter(({ name, onboarded: counts }) => !counts && onboarded.has(name));
      expect(twice.length, slug).toBeGreaterThanOrEqual(1);
      expect(twice.length, slug).toBeLessThanOrEqual(3);
    }
  });

  test('The identities of the demo people have an old address under another family name for those who changed theirs', () => {
    const [first] = organisations;
    const renamed = first?.people.filter(({ emails = [] }) => {
      const local = (emails ?? [])
        .filter((email) => email.endsWith('@northwind-pay.example'))
        .map((email) => email.split('.'));
      const [now, before] = local;
      return now && before && now[0]?.toLowerCase() === before[0] && now[1]?.toLowerCase() !== before[1];
    });
    expect(renamed?.length).toBeGreaterThanOrEqual(1);
  });
});

describe('the names of the demo people', () => {
  const names = organisations.slice(0, 6).flatMap(({ people }) => people.flatMap(({ name }) => name ?? []));

  test.each(['Latin', 'Cyrillic', 'Arabic', 'Han', 'Hangul', 'Hiragana', 'Greek', 'Devanagari', 'Ethiopic'])(
    'The names of the demo people are written in %s too',
    (script) => {
      const wanted = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(organisations.some(({ people }) => people.some(({ name }) => wanted.test(name ?? '')))).toBe(true);
    },
  );

  test('The names of the demo people have accents, apostrophes of both kinds, hyphens, and some are a single name', () => {
    expect(names.some((name) => /\p{M}/u.test(name.normalize('NFD')))).toBe(true);
    expect(names.some((name) => name.includes("'"))).toBe(true);
    expect(names.some((name) => name.includes('’'))).toBe(true);
    expect(names.some((name) => /\p{L}-\p{L}/u.test(name))).toBe(true);
    expect(names.some((name) => /^\p{Script=Latin}+$/u.test(name))).toBe(true);
  });

  test('The names of the demo people reach outside the basic plane: the first letter of 𠮷田 takes two UTF-16 units', () => {
    const astral = names.filter((name) => [...name].some((letter) => (letter.codePointAt(0) ?? 0) > 0xffff));
    expect(astral).toContain('𠮷田 翔太');
  });

  test('The names of the demo people are stored composed and without stray spaces', () => {
    for (const name of names) expect(name).toBe(name.normalize('NFC').trim().replace(/ {2,}/g, ' '));
  });
});
