import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { putRecords } from '../../../src/directory/put-records.ts';
import { openApp } from '../../../src/main.ts';
import { callServer } from '../../setup/called-server.ts';
import { threadsForFewRows, times } from '../../setup/how-long.ts';
import { callPlumb } from '../../setup/plumb-call.ts';
import { type ServingPlumb, servePlumb } from '../../setup/plumb-process.ts';
import { seed } from '../../setup/seed.ts';

const kills = times(1, 400);
const clients = 4;
const peoplePerClient = 5;
const peopleImported = times(1_000, 12_000);

const folder = mkdtempSync(join(tmpdir(), 'plumb-kill-'));
const file = join(folder, 'people.ndjson');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a client knows of one person: what was acknowledged last, and what it asked for without an answer. */
interface KnownState {
  acknowledged: boolean;
  undecided: boolean | undefined;
}

/** A server on a busy machine may say that it has no time now. That is no answer: nothing is known until one comes. */
const isRefusal = ({ status }: Response): boolean => status === 503 || status === 504;
const refusalPauseMs = 50;
const maxRefusals = 200;

const emailOf = (client: number, person: number) => `p${client}-${person}@kill.example`;

test(`What was acknowledged survives ${kills} kills at any moment, and an import that is killed half way is finished by running it again (seed ${seed})`, async () => {
  const key = await prepare();
  const known = new Map<string, KnownState>();
  for (let client = 0; client < clients; client += 1) {
    for (let person = 0; person < peoplePerClient; person += 1) {
      known.set(emailOf(client, person), { acknowledged: false, undecided: undefined });
    }
  }
  const random = pseudoRandom(seed);
  let acknowledgements = 0;
  for (let round = 0; round < kills; round += 1) {
    const server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' });
    await expectKnown(server, key, known, round);
    const enough = acknowledgements + 1 + Math.floor(random() * 12);
    const acknowledge = () => {
      acknowledgements += 1;
    };
    const traffic = Array.from({ length: clients }, (_, client) =>
      runClient(server, key, client, known, random, acknowledge),
    );
    while (acknowledgements < enough) await pause(1);
    await pause(random() * 20);
    const importing = round === kills - 1 ? importPeople() : undefined;
    if (importing) await pause(times(150, 700));
    await server.kill();
    await Promise.all(traffic);
    const broken = await importing;
    if (broken && broken.code !== 0) expect(broken.json()).toHaveProperty('detail');
  }
  const server = await callServer(folder);
  await expectKnown(server, key, known, kills);
  expect((await importPeople()).json()).toMatchObject({ accepted: peopleImported, rejected: 0 });
  await server.stop();
  const verified = await callPlumb(folder, ['verify', '--json']);
  expect(verified.json()).toMatchObject({ ok: true, findings: [] });
});

/** Into an organisation of their own. */
const importPeople = () => callPlumb(folder, ['import', '--org', 'Import', '--table', 'people', file, '--json']);

async function prepare(): Promise<string> {
  const people = Array.from({ length: peopleImported }, (_, i) => ({
    name: `I ${i}`,
    main_email: `i${i}@import.example`,
  }));
  writeFileSync(file, people.map((person) => `${JSON.stringify(person)}\n`).join(''));
  const app = await openApp({ folder, databaseUrl: undefined, threads: threadsForFewRows });
  try {
    const actor = { via: 'demo' } as const;
    await createOrganisation(app.directory, actor, { name: 'Import', ownerEmail: 'o@import.example' });
    const kill = { name: 'Kill', ownerEmail: 'owner@kill.example' };
    const { id, ownerId } = await createOrganisation(app.directory, actor, kill);
    const records = Array.from({ length: clients * peoplePerClient }, (_, i) => {
      const main_email = emailOf(Math.floor(i / peoplePerClient), i % peoplePerClient);
      return { line: i + 1, value: { name: main_email, main_email, onboarded: false } };
    });
    const taken = await putRecords(app.directory, { organisationId: id, actor }, 'people', records);
    expect(taken).toEqual({ accepted: clients * peoplePerClient, rejected: [] });
    return (await app.keys.create(id, actor, { creatorId: ownerId, name: 'k' })).key;
  } finally {
    await app.close();
  }
}

/** Onboards and offboards its own people, one after another, until the server is gone. */
async function runClient(
  server: ServingPlumb,
  key: string,
  client: number,
  known: ReadonlyMap<string, KnownState>,
  random: () => number,
  acknowledge: () => void,
): Promise<void> {
  for (;;) {
    const email = emailOf(client, Math.floor(random() * peoplePerClient));
    const person = known.get(email);
    if (!person) throw new Error(`${email} is nobody's`);
    const onboard = !person.acknowledged;
    person.undecided = onboard;
    try {
      const path = onboard ? 'onboarded-users-by-attributes' : 'offboarded-users-by-attributes';
      const response = await fetch(`${server.url}/users/${path}`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({ email_addresses: [email] }),
      });
      await response.text();
      if (isRefusal(response)) {
        await pause(refusalPauseMs);
        continue;
      }
      expect(response.status).toBe(200);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    person.acknowledged = onboard;
    person.undecided = undefined;
    acknowledge();
  }
}

/** Each person is as was acknowledged last, or as was asked for when the kill came; then that is what is known. */
async function expectKnown(
  server: Pick<ServingPlumb, 'url'>,
  key: string,
  known: Map<string, KnownState>,
  round: number,
): Promise<void> {
  const users = await listOnboarded(server, key);
  const onboarded = new Set(users.map(({ email }) => email));
  for (const [email, person] of known) {
    const is = onboarded.has(email);
    const allowed = [person.acknowledged, ...(person.undecided === undefined ? [] : [person.undecided])];
    expect(allowed, `${email} after kill ${round}`).toContain(is);
    known.set(email, { acknowledged: is, undecided: undefined });
  }
}

async function listOnboarded(
  server: Pick<ServingPlumb, 'url'>,
  key: string,
): Promise<readonly { readonly email: string }[]> {
  for (let refusals = 0; ; refusals += 1) {
    const response = await fetch(`${server.url}/users/onboarded-users-by-attributes`, {
      headers: { authorization: key },
    });
    if (isRefusal(response) && refusals < maxRefusals) {
      await response.text();
      await pause(refusalPauseMs);
      continue;
    }
    expect(response.status).toBe(200);
    return ((await response.json()) as { users: { email: string }[] }).users;
  }
}

function pseudoRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
