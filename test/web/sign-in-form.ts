import type { BrowserContext, Page } from 'playwright-core';

/** Opens a one-time link and chooses a password, as whoever got the link does. */
export async function signInWithLink(context: BrowserContext, link: string, password: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.close();
}

/** Fills in the form of `/sign-in`, which the page must show. */
export async function signInWithPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}
