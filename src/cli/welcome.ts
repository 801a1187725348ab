import { addMonths, msPerDay, startOfBucket, utcDay } from '../calendar.ts';
import { type FilledOrganisation, holdsDemo } from '../demo/fill.ts';
import { demoSeed } from '../demo/seed.ts';
import { ownCommand } from '../own-command.ts';
import { Refusal } from '../refusal.ts';
import { followDemo } from './demo-progress.ts';
import type { RunningServer } from './start-server.ts';
import { type Report, say, type Terminal } from './terminal.ts';

const keyDays = 7;
const demo = { seed: demoSeed, scale: 1 } as const;

/** Fills in the demo on the first start, and opens the connection to it: a link to sign in, a key, and a first question. */
export async function welcome(
  server: RunningServer,
  terminal: Terminal,
  isQuiet: boolean,
): Promise<Report & { readonly json: object }> {
  const ids = (await server.operations.listOrganisations({})).map(({ id }) => id);
  // Somebody's own organisations are not to find strangers beside them.
  if (ids.length > 0 && !holdsDemo(ids, demo)) return plainWelcome(server);
  const host = await filledBehind(server, terminal, isQuiet);
  return demoWelcome(server, host).catch((error) => {
    // The person whom the key would be for may have been removed since.
    if (error instanceof Refusal) return plainWelcome(server);
    throw error;
  });
}

/** Waits for the newest months of the organisation that is shown; everything else is filled in behind the service. */
function filledBehind(server: RunningServer, terminal: Terminal, isQuiet: boolean): Promise<FilledOrganisation> {
  return new Promise((resolve, reject) => {
    let isShown = false;
    const onReady = (shown: FilledOrganisation) => {
      isShown = true;
      resolve(shown);
    };
    const filling = server.runBehind(async (signal) => {
      await followDemo(terminal, server.operations.fillDemo({ ...demo, signal }), isQuiet, onReady);
    });
    const stopped = new Refusal(
      'unavailable',
      'Stopped before the demo was filled in. The next start goes on with it.',
    );
    filling.then(
      () => reject(stopped),
      (error: Error) => {
        if (isShown) say(terminal, `The demo is not filled in: ${error.message} The next start goes on with it.`);
        reject(error);
      },
    );
  });
}

async function demoWelcome(
  { operations, publicUrl: url, folder, now }: RunningServer,
  { id, name, owner_email }: FilledOrganisation,
): Promise<Report & { readonly json: object }> {
  const expires = new Date(now().getTime() + keyDays * msPerDay).toISOString();
  const { key } = await operations.createKey({ org: id, as: owner_email, name: 'demo', expires });
  const { sign_in_url } = await operations.createSignIn({ org: id, who: owner_email });
  const text = [
    `Plumb is running at ${url}`,
    '',
    `  Reference  ${url}/docs`,
    `  Sign in    ${sign_in_url}`,
    `             as ${owner_email}, Owner of ${name}. The link works once, within 24 hours, and asks for a password.`,
    `  Demo key   ${key}`,
    `             works for ${keyDays} days`,
    '',
    'Try it:',
    '',
    `  curl -s ${url}/metrics/cycle-time -H 'Authorization: ${key}' -H 'Content-Type: application/json' \\`,
    `    -d '{"filters": {"start_date": "${monthsAgo(now(), 3)}"}, "aggregation": "AVG", "group_by": ["team_name"]}'`,
    '',
    `The data is kept in ${folder}. Stop with Ctrl-C.`,
  ].join('\n');
  return { json: { key, sign_in_url, organisation: id }, text };
}

/** The first day of the month that many months ago. */
const monthsAgo = (now: Date, months: number): string => addMonths(startOfBucket('month', utcDay(now)), -months);

function plainWelcome({ publicUrl: url, folder }: RunningServer): Report & { readonly json: object } {
  const text = [
    `Plumb is running at ${url}`,
    '',
    `  Reference  ${url}/docs`,
    `  Sign in    ${url}/sign-in`,
    `  A link     ${ownCommand} person sign-in --org ORGANISATION EMAIL`,
    `  A key      ${ownCommand} key create --org ORGANISATION --as EMAIL --name NAME`,
    '',
    `The data is kept in ${folder}. It was there before, so no demo was added. Stop with Ctrl-C.`,
  ].join('\n');
  return { json: {}, text };
}
