import { afterAll, expect, test } from 'vitest';
import { accessRoles } from '../../src/catalogue/directory-records.ts';
import { hasFigures, wrongFigures } from './figures.ts';
import { forgetfulLinks, view } from './kept-view.ts';
import { leave, type OpenedPage, openPage, type PageLook } from './opened-page.ts';
import { type Examined, faultsOf } from './page-checks.ts';
import { type ListedPage, listedPages, pathFor } from './page-list.ts';
import { openEveryMenu } from './page-words.ts';
import type { Reader, ServedPages } from './served-pages.ts';

export const widths = [390, 768, 1280, 1920] as const;
export const themes = ['light', 'dark'] as const;
type Role = (typeof accessRoles)[number];

/** One load of one page. */
export interface Look {
  readonly page: ListedPage;
  readonly role: Role;
  readonly width: (typeof widths)[number];
  readonly theme: (typeof themes)[number];
  /** Whether it is reached from the page before, as a reader does, instead of being loaded. */
  readonly isWalkedTo: boolean;
  /** What axe-core examines. */
  readonly examined: Examined;
  /** Whether its links are to keep a range and a comparison that are chosen. */
  readonly withLinks: boolean;
  /** Whether every number of it is compared with the answer to its request. */
  readonly withFigures: boolean;
  /** How many tiles are followed into their panels, and how many benchmarks are chosen. */
  readonly maxFollowed: number;
  /** How the same load is looked at once more: turning a page takes far less time than loading it again. */
  readonly turned: Required<PageLook> | null;
}

/** Pages that speak of "you" to who sees only their own work. */
const ownWorkPages: readonly string[] = ['/', '/delivery', '/cycle-time', '/reviews'];

/** Pages that say something else to those who are no Owners, or show an Engineer less than everybody's work. */
const differentPages: Readonly<Partial<Record<Role, readonly string[]>>> = {
  // No page tells a Squad Lead from a Manager: what they see is decided by the answers.
  Manager: ['/', '/people', '/people/:id', '/surveys', '/settings/audit'],
  Engineer: listedPages
    .map(({ path }) => path)
    .filter((path) => /settings|welcome|people|surveys|pull-requests/.test(path) || ownWorkPages.includes(path)),
};

const pageAt = (page: ListedPage, at: number, role: Role) => {
  const turn = at + accessRoles.indexOf(role);
  return {
    page,
    role,
    width: widths[turn % widths.length] ?? 1280,
    theme: themes[Math.floor(turn / 4) % themes.length] ?? 'light',
  };
};

/** Every page as Owner, loaded by itself, in both themes and at two widths, one of which is that of a telephone. */
export const looksOfOwner: readonly Look[] = listedPages.map((page, at) => {
  const { width, theme } = pageAt(page, at, 'Owner');
  return {
    ...pageAt(page, at, 'Owner'),
    isWalkedTo: false,
    examined: 'everything',
    withLinks: false,
    withFigures: hasFigures(page),
    // All tiles open the same panel, by the metric that they have.
    maxFollowed: page.path === '/' ? 3 : 1,
    turned: { width: width === 390 ? 1920 : 390, theme: theme === 'light' ? 'dark' : 'light' },
  };
});

/** What others see differently, reached from page to page, which takes half the time of loading it. */
export const looksOfOthers: readonly Look[] = listedPages.flatMap((page, at) =>
  accessRoles
    .filter((role) => differentPages[role]?.includes(page.path))
    .map((role) => ({
      ...pageAt(page, at, role),
      isWalkedTo: true,
      // Only colours depend on the role.
      examined: role === 'Engineer' ? 'contrast' : 'nothing',
      withLinks: role === 'Engineer',
      withFigures: role === 'Engineer' && page.path === '/',
      maxFollowed: 1,
      turned: null,
    })),
);

export const everything: readonly Look[] = listedPages.flatMap((page) =>
  accessRoles.flatMap((role) =>
    widths.flatMap((width) =>
      themes.map((theme) => ({
        page,
        role,
        width,
        theme,
        isWalkedTo: false,
        examined: 'everything' as const,
        withLinks: true,
        withFigures: hasFigures(page) && width === 1280 && theme === 'light',
        maxFollowed: Number.POSITIVE_INFINITY,
        turned: null,
      })),
    ),
  ),
);

/**
 * No page, for nobody, on no screen, is blank, wide, unnamed, inaccessible, or asks others for anything. One load answers
 * all questions about it: loading takes longer than asking.
 */
export function everyPage(pages: () => ServedPages, looks: readonly Look[]): void {
  const windows = new Map<Role, OpenedPage>();
  afterAll(async () => {
    for (const { page } of windows.values()) await leave(page);
  });
  test.each(looks.map((look) => [look.page.path, look.role, look.theme, look.width, look] as const))(
    '%s as %s, %s, %i px',
    async (_path, _role, theme, width, {
      page,
      role,
      isWalkedTo,
      examined,
      withLinks,
      withFigures,
      maxFollowed,
      turned,
    }) => {
      const { url, readers } = pages();
      const path = `${await pathFor(url, page, readers[role])}${withLinks ? view : ''}`;
      const look = { width, theme };
      const known = windows.get(role);
      windows.delete(role);
      const opened = known ?? (await openPage(readers[role].context, `${url}${path}`, look));
      let isWell = false;
      try {
        if (known) await known.show(`${url}${path}`, look, isWalkedTo ? 'walked' : 'loaded');
        const [heading, title] = [await opened.page.locator('h1').first().innerText(), await opened.page.title()];
        if (page.heading !== undefined) expect(heading).toBe(page.heading);
        // Beside the name of a record stands what it belongs to.
        expect(heading.startsWith(title.split(' · ')[0] ?? ''), `${title} is called ${heading}`).toBe(true);
        expect(await faultsOf(opened, examined)).toEqual([]);
        if (withLinks) expect(await forgetfulLinks(opened.page)).toEqual([]);
        if (page.isForOwners) await expectAllowed(opened, readers[role], readers.Owner);
        if (page.minTiles !== undefined && role === 'Owner') {
          const tiles = opened.page.locator('.tile:has([data-value]:not([data-value=""]))');
          expect(await tiles.count()).toBeGreaterThanOrEqual(page.minTiles);
        }
        if (withFigures) expect((await wrongFigures(opened, readers[role], maxFollowed)).join('\n')).toBe('');
        if (role === 'Owner') {
          await openEveryMenu(opened.page, page.path === '/' ? 'body' : 'main');
          expect(opened.unwanted()).toEqual([]);
        }
        if (turned) {
          await opened.turn(turned);
          expect(await faultsOf(opened, 'contrast')).toEqual([]);
        }
        isWell = true;
      } finally {
        // After a failure the next one begins in a new window.
        if (isWell) windows.set(role, opened);
        else await opened.page.close();
      }
    },
  );
}

/** Owners see the page; everybody else reads what is needed, and which owners can grant it. */
async function expectAllowed({ page }: OpenedPage, reader: Reader, owner: Reader): Promise<void> {
  const refusal = page.locator('[data-state="not-allowed"]');
  if (reader.role === 'Owner') expect(await refusal.count()).toBe(0);
  else {
    const words = await refusal.first().innerText();
    expect(words).toContain(owner.name);
    expect(words).toContain(reader.role);
  }
}
