import type { BrowserContext, Page } from 'playwright-core';

/** Sends what the form behind a one-time link sends. No page is opened: the first one would ask for all its figures. */
export async function signInWithLink(context: BrowserContext, link: string, password: string): Promise<void> {
  const headers = { origin: new URL(link).origin };
  const answer = await context.request.post(link, { form: { password }, headers, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`${link}: ${answer.status()} ${await answer.text()}`);
}

/** Fills in the form of `/sign-in`, which the page must show. */
export async function signInWithPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}
