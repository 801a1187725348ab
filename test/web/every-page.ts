import { expect, test } from 'vitest';
import { accessRoles } from '../../src/catalogue/directory-records.ts';
import { openPage } from './opened-page.ts';
import { faultsOf } from './page-checks.ts';
import { type ListedPage, listedPages, pathFor } from './page-list.ts';
import type { ServedPages } from './served-pages.ts';

export const widths = [390, 768, 1280, 1920] as const;
export const themes = ['light', 'dark'] as const;
type Role = (typeof accessRoles)[number];

/** One load of one page. */
export interface Look {
  readonly page: ListedPage;
  readonly role: Role;
  readonly width: (typeof widths)[number];
  readonly theme: (typeof themes)[number];
}

/** Every page with every role once. Each page has every width and theme, and so has each role, and each width both themes. */
export const pairwise: readonly Look[] = listedPages.flatMap((page, at) =>
  accessRoles.map((role, turn) => ({
    page,
    role,
    width: widths[(at + turn) % widths.length] ?? 1280,
    theme: themes[(Math.floor(at / 4) + turn) % themes.length] ?? 'light',
  })),
);

export const everything: readonly Look[] = listedPages.flatMap((page) =>
  accessRoles.flatMap((role) => widths.flatMap((width) => themes.map((theme) => ({ page, role, width, theme })))),
);

/** No page, for nobody, on no screen, is blank, wide, unnamed, inaccessible, or asks others for anything. */
export function everyPage(pages: () => ServedPages, looks: readonly Look[]): void {
  test.each(looks.map((look) => [look.page.path, look.role, look.theme, look.width, look] as const))(
    '%s as %s, %s, %i px',
    async (_path, _role, theme, width, { page, role }) => {
      const { url, readers } = pages();
      const path = await pathFor(url, page, readers[role]);
      const opened = await openPage(readers[role].context, `${url}${path}`, { width, theme });
      try {
        const [heading, title] = [await opened.page.locator('h1').first().innerText(), await opened.page.title()];
        if (page.heading !== undefined) expect(heading).toBe(page.heading);
        // Beside the name of a record stands what it belongs to.
        expect(heading.startsWith(title.split(' · ')[0] ?? ''), `${title} is called ${heading}`).toBe(true);
        expect(await faultsOf(opened)).toEqual([]);
      } finally {
        await opened.page.close();
      }
    },
  );
}
