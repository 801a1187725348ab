import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import type { AccessRole } from '../../src/catalogue/directory-records.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { demoSeed } from '../../src/demo/seed.ts';
import { launchChromium } from '../setup/chromium.ts';
import { copyDemo } from '../setup/demo-folder.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { servePlumb } from '../setup/plumb-process.ts';
import { signInWithLink } from './sign-in-form.ts';

/** Somebody who has a password, a key, and a browser of their own in which they are signed in. */
export interface Reader {
  readonly role: AccessRole;
  readonly name: string;
  readonly email: string;
  readonly personId: string;
  readonly organisationId: string;
  readonly key: string;
  readonly context: BrowserContext;
}

/** The real service on demo data, with one Chromium that all tests share. */
export interface ServedPages {
  readonly url: string;
  readonly folder: string;
  readonly browser: Browser;
  /** One for each role, of the organisation that a newcomer is shown. */
  readonly readers: Readonly<Record<AccessRole, Reader>>;
  /** The Owner of another organisation. */
  readonly stranger: Reader;
  /** Makes an organisation in which nothing is connected, and signs its Owner in. */
  found(name: string): Promise<Reader>;
  /** The Owner of an organisation whose tables are damaged: every question about them fails. */
  damaged(): Promise<Reader>;
  /** The `plumb` command, on the running service. */
  plumb<T>(...words: string[]): Promise<T>;
  close(): Promise<void>;
}

export const password = 'correct horse battery staple';

export async function servePages(): Promise<ServedPages> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-pages-'));
  const data = join(folder, 'data');
  await copyDemo(data);
  const damagedId = await makeDamaged(data);
  // One reader loads more pages here than anybody does in an hour. With two threads an engine takes a third more.
  const threads = threadsForFewRows === undefined ? {} : { PLUMB_THREADS: String(threadsForFewRows) };
  const server = await servePlumb(data, { PLUMB_RATE_LIMIT: '0', ...threads });
  const browser = await launchChromium();
  const close = async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const plumb = async <T>(...words: string[]): Promise<T> => {
    const { code, stderr, json } = await callPlumb(data, [...words, '--json']);
    if (code !== 0) throw new Error(`plumb ${words.join(' ')}: ${stderr}`);
    return json<T>();
  };
  const enter = async (organisationId: string, email: string): Promise<Reader> => {
    const words = ['--org', organisationId];
    const { key } = await plumb<{ key: string }>('key', 'create', ...words, '--as', email, '--name', 'figures');
    const link = await plumb<{ sign_in_url: string }>('person', 'sign-in', ...words, email);
    const context = await browser.newContext();
    await signInWithLink(context, link.sign_in_url, password);
    const answer = await context.request.get(`${server.url}/app/session`);
    const { person, role } = (await answer.json()) as { person: { id: string; name: string }; role: AccessRole };
    return { role, name: person.name, email, personId: person.id, organisationId, key, context };
  };
  try {
    const [first, second] = demoOrganisations({ seed: demoSeed, scale: 1 });
    if (!first || !second) throw new Error('The demo has no organisations.');
    const withRole = (role: AccessRole): Promise<Reader> => {
      const person = first.people.find(({ access_role, onboarded }) => access_role === role && onboarded !== false);
      return enter(first.id, person?.main_email ?? '');
    };
    return {
      url: server.url,
      folder: data,
      browser,
      readers: {
        Owner: await withRole('Owner'),
        Manager: await withRole('Manager'),
        'Squad Lead': await withRole('Squad Lead'),
        Engineer: await withRole('Engineer'),
      },
      stranger: await enter(second.id, second.owner.main_email ?? ''),
      found: async (name) => {
        const email = `owner@${name.toLowerCase()}.example`;
        const { id } = await plumb<{ id: string }>('org', 'create', '--name', name, '--owner-email', email);
        return enter(id, email);
      },
      damaged: () => enter(damagedId, damagedOwner),
      plumb,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const damagedOwner = 'owner@damaged.example';

/** An organisation whose file of tables no engine can read. */
async function makeDamaged(data: string): Promise<string> {
  const words = ['org', 'create', '--name', 'Damaged', '--owner-email', damagedOwner, '--json'];
  const made = await callPlumb(data, words);
  if (made.code !== 0) throw new Error(made.stderr);
  const { id } = made.json<{ id: string }>();
  writeFileSync(join(data, 'warehouse', `${id}.duckdb`), Buffer.alloc(16_384, 7));
  return id;
}
