import { afterAll, expect, test } from 'vitest';
import { accessRoles } from '../../src/catalogue/directory-records.ts';
import { hasFigures, wrongFigures } from './figures.ts';
import { forgetfulLinks, view } from './kept-view.ts';
import { leave, type OpenedPage, openPage } from './opened-page.ts';
import { type Examined, faultsOf } from './page-checks.ts';
import { type ListedPage, listedPages, pathFor } from './page-list.ts';
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
  /** Of how many tiles the number is also followed into its panel. */
  readonly panelsMost: number;
}

/** Who sees more than an Engineer and less than an Owner: in turn, so that both have every width and theme. */
const betweenAt = (at: number): Role => ((at + Math.floor(at / 4)) % 2 === 0 ? 'Squad Lead' : 'Manager');

/** Those who see most of a page and those who see least, in either theme. Only colours depend on that. */
const examinedAs: Readonly<Record<Role, Examined>> = {
  Owner: 'everything',
  Manager: 'nothing',
  'Squad Lead': 'nothing',
  Engineer: 'contrast',
};

/**
 * Every page as Owner, loaded by itself, and as Engineer and one of the others in turn, reached from page to page, which
 * takes half the time. Each page has both themes and three widths, and each role every width and theme.
 */
export const pairwise: readonly Look[] = listedPages.flatMap((page, at) =>
  accessRoles
    .filter((role) => role === 'Owner' || role === 'Engineer' || role === betweenAt(at))
    .map((role) => {
      const turn = accessRoles.indexOf(role);
      return {
        page,
        role,
        width: widths[(at + turn) % widths.length] ?? 1280,
        theme: themes[(Math.floor(at / 4) + turn) % themes.length] ?? 'light',
        isWalkedTo: role !== 'Owner',
        examined: examinedAs[role],
        withLinks: role === betweenAt(at),
        withFigures:
          hasFigures(page) && (role === 'Owner' || (role === 'Engineer' && ['/', '/cycle-time'].includes(page.path))),
        // All tiles open the same panel, by the metric that they have.
        panelsMost: role === 'Owner' ? 3 : 1,
      };
    }),
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
        panelsMost: Number.POSITIVE_INFINITY,
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
    async (_path, _role, theme, width, { page, role, isWalkedTo, examined, withLinks, withFigures, panelsMost }) => {
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
        if (page.tilesLeast !== undefined && role === 'Owner') {
          const tiles = opened.page.locator('.tile:has([data-value]:not([data-value=""]))');
          expect(await tiles.count()).toBeGreaterThanOrEqual(page.tilesLeast);
        }
        if (withFigures) expect((await wrongFigures(opened, readers[role], panelsMost)).join('\n')).toBe('');
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
