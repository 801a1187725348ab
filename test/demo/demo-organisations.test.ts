import { afterEach, describe, expect, test, vi } from 'vitest';
import { type DirectoryTable, directoryRecords } from '../../src/catalogue/directory-records.ts';
import { readRecord } from '../../src/catalogue/read-record.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const largest = (scale: number) =>
  Math.max(...demoOrganisations({ seed: 'plumb', scale }).map(({ people }) => people.length));

describe('the demo organisations', () => {
  test('The demo organisations are the same for the same seed', () => {
    const once = JSON.stringify(demoOrganisations({ seed: 'plumb', scale: 1 }));
    expect(JSON.stringify(demoOrganisations({ seed: 'plumb', scale: 1 }))).toBe(once);
  });

  test('The demo organisations are the same on any day and without any other source of chance', () => {
    vi.useFakeTimers({ now: new Date('1999-12-31T23:59:59Z') });
    const then = JSON.stringify(demoOrganisations({ seed: 'plumb', scale: 1 }));
    vi.setSystemTime(new Date('2041-07-01T00:00:00Z'));
    vi.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('the demo must not draw from Math.random');
    });
    expect(JSON.stringify(demoOrganisations({ seed: 'plumb', scale: 1 }))).toBe(then);
  });

  test('The demo organisations have other people and other identifiers for another seed, but the same owners', () => {
    const some = demoOrganisations({ seed: 'plumb', scale: 1 });
    const others = demoOrganisations({ seed: 'plum', scale: 1 });
    some.forEach((organisation, index) => {
      const other = others[index];
      expect(other?.slug).toBe(organisation.slug);
      expect(other?.id).not.toBe(organisation.id);
      expect(other?.owner.main_email).toBe(organisation.owner.main_email);
      const names = new Set(organisation.people.map(({ name }) => name));
      const shared = other?.people.filter(({ name }) => names.has(name)) ?? [];
      expect(shared.length).toBeLessThan(organisation.people.length / 2);
    });
  });

  test('The demo organisations are six that differ in identifier, name, owner and size, in several time zones', () => {
    const organisations = demoOrganisations({ seed: 'plumb', scale: 1 });
    expect(organisations).toHaveLength(6);
    expect(new Set(organisations.map(({ id }) => id)).size).toBe(6);
    expect(new Set(organisations.map(({ slug }) => slug)).size).toBe(6);
    expect(new Set(organisations.map(({ name }) => name)).size).toBe(6);
    expect(new Set(organisations.map(({ owner }) => owner.main_email)).size).toBe(6);
    expect(new Set(organisations.map(({ people }) => people.length)).size).toBe(6);
    const zones = organisations.map(({ timeZone }) => timeZone);
    expect(new Set(zones).size).toBe(6);
    expect(zones).toContain('UTC');
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
    for (const { id } of organisations) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test('The demo organisations show both sides of the settings, but all take part in the benchmark, which needs five others', () => {
    const settings = demoOrganisations({ seed: 'plumb', scale: 1 }).map((organisation) => organisation.settings);
    expect(new Set(settings.map(({ team_restrictions }) => team_restrictions)).size).toBe(2);
    expect(new Set(settings.map(({ salary_visibility }) => salary_visibility)).size).toBe(2);
    expect(settings.filter(({ benchmark_opt_out }) => !benchmark_opt_out)).toHaveLength(6);
  });

  test('The demo organisations begin with Ada Quill, whom examples can name', () => {
    for (const seed of ['plumb', 'another']) {
      const [first] = demoOrganisations({ seed, scale: 1 });
      expect(first).toMatchObject({ slug: 'northwind-pay', name: 'Northwind Pay' });
      expect(first?.owner).toMatchObject({
        name: 'Ada Quill',
        main_email: 'ada.quill@northwind-pay.example',
        github_username: 'ada-quill',
        access_role: 'Owner',
        onboarded: true,
      });
    }
  });

  test.each([0.01, 1, 30])('The demo organisations hold only records that read cleanly, at scale %d', (scale) => {
    for (const organisation of demoOrganisations({ seed: 'plumb', scale })) {
      for (const table of Object.keys(directoryRecords) as DirectoryTable[]) {
        expect(organisation[table].length).toBeGreaterThan(0);
        for (const record of organisation[table]) {
          expect(readRecord(directoryRecords[table], record)).toEqual({ record });
        }
      }
    }
  });

  test('The demo organisations have between 25 and some 220 people at scale 1', () => {
    const sizes = demoOrganisations({ seed: 'plumb', scale: 1 }).map(({ people }) => people.length);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(25);
    expect(Math.max(...sizes)).toBeGreaterThan(200);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(230);
  });

  test('The demo organisations grow with the scale, far slower than it, and stop at about five thousand', () => {
    const [one, ten, hundred, most] = [largest(1), largest(10), largest(100), largest(1e9)];
    expect(ten).toBeGreaterThan(one);
    expect(hundred).toBeGreaterThan(ten);
    expect(hundred).toBeLessThan(10 * one);
    expect(most).toBeGreaterThan(4000);
    expect(most).toBeLessThan(5100);
  });

  test('The demo organisations do not exist at a scale that means nothing', () => {
    for (const scale of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => demoOrganisations({ seed: 'plumb', scale })).toThrow(RangeError);
    }
  });
});
