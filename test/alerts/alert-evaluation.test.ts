import { describe, expect, test } from 'vitest';
import { removePerson } from '../../src/directory/people.ts';
import { addSource } from '../../src/store/source-rows.ts';
import { mail, mergedPullRequest, openPullRequest, tellingWorld, webhook } from './telling-world.ts';

const world = tellingWorld('2026-11-18T10:00:00Z');
const evaluate = () => world.app.alerts.evaluate(world.organisationId);
const told = async () => (await world.queued()).map(({ receiver, title }) => `${receiver}: ${title}`);
const hook = '127.0.0.1:9/…hook';
const reviews = { waiting: { for: 'review', hours: 48 } };

describe('waiting pull requests', () => {
  test('All that wait are told in one message a day, without the names of people', async () => {
    await world.put('pull_requests', [
      openPullRequest('1', 'grace', '2026-11-14T09:00:00Z'),
      openPullRequest('2', 'edsger', '2026-11-15T09:00:00Z'),
      openPullRequest('3', 'edsger', '2026-11-18T09:00:00Z'),
    ]);
    await world.write('alert', 'ada', 'reviews', { rule: reviews, to: [mail('ada'), webhook] });
    await evaluate();
    const messages = await world.queued();
    expect(messages.map(({ receiver, title }) => [receiver, title])).toEqual([
      [hook, '2 pull requests wait for a first review'],
      ['ada@acme.example', '2 pull requests wait for a first review'],
    ]);
    const body = messages[0]?.content ?? '';
    expect(body).toContain('Change 1');
    expect(body).toContain('Change 2');
    expect(body).not.toContain('Change 3');
    expect(body).not.toMatch(/grace|edsger/);
    // Others read the channel: it says whose view it is.
    expect(body).toContain('This is what ada');
    await evaluate();
    expect(await told()).toEqual([]);
    world.setTime('2026-11-19T08:00:00Z');
    await evaluate();
    expect(await told()).toHaveLength(2);
  });

  test('A message is made in the rights of its receiver, at that moment', async () => {
    await world.put('pull_requests', [openPullRequest('1', 'grace', '2026-11-14T09:00:00Z')]);
    const to = [mail('edsger'), mail('grace'), webhook];
    await world.write('alert', 'grace', 'reviews', { rule: reviews, to });
    await evaluate();
    // Engineers see their own work, and nothing of theirs waits.
    expect(await told()).toEqual([
      `${hook}: 1 pull request waits for a first review`,
      'grace@acme.example: 1 pull request waits for a first review',
    ]);
    // An owner who loses the role has nothing to show to others any more.
    await world.setRole('grace', 'Engineer');
    world.setTime('2026-11-19T10:00:00Z');
    await evaluate();
    expect(await told()).toEqual(['grace@acme.example: 1 pull request waits for a first review']);
  });

  test('In quiet hours messages wait', async () => {
    await world.put('pull_requests', [openPullRequest('1', 'grace', '2026-11-14T09:00:00Z')]);
    const quiet = { from: '18:00', until: '08:00', weekends: true };
    await world.write('alert', 'ada', 'reviews', { rule: reviews, to: [mail('ada')], quiet });
    world.setTime('2026-11-20T18:00:00Z');
    await evaluate();
    world.setTime('2026-11-22T12:00:00Z');
    await evaluate();
    expect(await told()).toEqual([]);
    world.setTime('2026-11-23T08:00:00Z');
    await evaluate();
    expect(await told()).toEqual(['ada@acme.example: 1 pull request waits for a first review']);
  });
});

test('Several processes that evaluate at once tell once', async () => {
  await world.put('pull_requests', [openPullRequest('1', 'grace', '2026-11-14T09:00:00Z')]);
  await world.write('alert', 'ada', 'reviews', { rule: reviews, to: [mail('ada')] });
  await Promise.all([evaluate(), evaluate(), evaluate()]);
  expect(await told()).toHaveLength(1);
  const version = world.app.store.versionOf(world.organisationId);
  await evaluate();
  // Where there is nothing to tell, nothing is written either.
  expect(world.app.store.versionOf(world.organisationId)).toBe(version);
});

test('An alert without an owner is silent, and Owners are told once', async () => {
  await world.put('pull_requests', [openPullRequest('1', 'ada', '2026-11-14T09:00:00Z')]);
  await world.write('alert', 'grace', 'reviews', { rule: reviews, to: [mail('grace'), webhook] });
  const context = { organisationId: world.organisationId, actor: { via: 'command', user: 'test' } } as const;
  await removePerson(world.app.directory, context, await world.idOf('grace'));
  await evaluate();
  await evaluate();
  expect(await told()).toEqual(['ada@acme.example: The alert reviews is silent']);
});

test('An Owner who saves a silent alert as it is takes it over', async () => {
  await world.put('pull_requests', [openPullRequest('1', 'ada', '2026-11-14T09:00:00Z')]);
  const written = { rule: reviews, to: [webhook] };
  await world.write('alert', 'grace', 'reviews', written);
  const context = { organisationId: world.organisationId, actor: { via: 'command', user: 'test' } } as const;
  await removePerson(world.app.directory, context, await world.idOf('grace'));
  await evaluate();
  await told();
  const caller = { principal: await world.principal('ada') };
  const { change } = await world.app.documents.alert.put(caller, { slug: 'reviews', written }, { etags: 'any' });
  expect(change).toBe('changed');
  await evaluate();
  expect(await told()).toEqual([`${hook}: 1 pull request waits for a first review`]);
});

test('An example counts those who get it, and not who has stopped', async () => {
  await world.write('alert', 'ada', 'reviews', { rule: reviews, to: [mail('ada'), mail('grace')] });
  await world.app.store.change(world.organisationId, (session) =>
    world.app.messages.setStopped(
      session,
      { via: 'mail' },
      { origin: { kind: 'alert', slug: 'reviews' }, receiverKey: 'email:grace@acme.example', isStopped: true },
    ),
  );
  const caller = { principal: await world.principal('ada') };
  expect(await world.app.alerts.sendExample(caller, 'reviews')).toBe(1);
  expect(await told()).toEqual(['ada@acme.example: A test of the alert reviews']);
});

test('A source that is behind is told once, and once more when it recovers', async () => {
  const { organisationId } = world;
  await world.app.store.change(organisationId, (session) =>
    addSource(session, {
      id: 'source-1',
      organisation_id: organisationId,
      kind: 'github',
      name: 'Code',
      name_key: 'code',
      added_by: 'command',
      settings: '{}',
      secrets: '',
      webhook_secret: null,
      created_at: new Date('2026-11-18T09:00:00Z'),
    }),
  );
  await world.write('alert', 'ada', 'behind', { rule: { source_behind: { hours: 6 } }, to: [mail('ada')] });
  await evaluate();
  expect(await told()).toEqual([]);
  world.setTime('2026-11-18T15:00:00Z');
  await evaluate();
  await evaluate();
  expect(await told()).toEqual(['ada@acme.example: No new data from Code']);
  await world.app.store.change(organisationId, (session) =>
    session.run("UPDATE sources SET created_at = $1::timestamptz WHERE id = 'source-1'", ['2026-11-18T14:00:00Z']),
  );
  await evaluate();
  expect(await told()).toEqual(['ada@acme.example: Code is read again']);
});

describe('goals and unusual periods', () => {
  /** So many pull requests in each of the weeks before the one of the clock, the newest last. */
  async function fillWeeks(counts: readonly number[]): Promise<void> {
    const monday = Date.parse('2026-11-16T00:00:00Z');
    const rows = counts.flatMap((count, i) => {
      const begins = monday - (counts.length - i) * 7 * 86_400_000;
      return Array.from({ length: count }, (_, n) => {
        const at = new Date(begins + (n % 7) * 86_400_000).toISOString();
        return mergedPullRequest(i * 100 + n, n % 2 === 0 ? 'grace' : 'edsger', at);
      });
    });
    await world.put('pull_requests', rows);
  }
  const usual = Array.from({ length: 29 }, (_, i) => 8 + (i % 4));

  test('Two unusual weeks are told once', async () => {
    await fillWeeks([...usual, 30, 31]);
    const filters = { repositories: ['acme/web'] };
    const rule = { unusual: { metric: 'pull-requests-count', filters, period: 'week' } };
    await world.write('alert', 'ada', 'counts', { rule, to: [mail('ada'), webhook] });
    await evaluate();
    const messages = await world.queued();
    expect(messages.map(({ title }) => title)).toEqual([
      'Unusually high: Pull requests',
      'Unusually high: Pull requests',
    ]);
    expect(messages[0]?.content).toContain('9–15 November 2026: 31');
    expect(messages[0]?.content).toContain('2–8 November 2026: 30');
    // The page shows what the rule is about.
    expect(messages[0]?.content).toContain('metric=pull-requests-count&repo=acme%2Fweb');
    await evaluate();
    expect(await told()).toEqual([]);
  });

  test('A week alone is not told, and neither is what is usual', async () => {
    await fillWeeks([...usual, 9, 31]);
    const rule = { unusual: { metric: 'pull-requests-count', period: 'week' } };
    await world.write('alert', 'ada', 'counts', { rule, to: [mail('ada')] });
    await evaluate();
    expect(await told()).toEqual([]);
  });

  test('A goal that is missed twice is told once, and not to whom it does not show', async () => {
    await fillWeeks([9, 9, 3, 3]);
    // Nothing of last week is waited for any more.
    world.setTime('2026-11-19T10:00:00Z');
    // A goal says nothing about fewer than five people.
    for (const name of ['alan', 'barbara', 'cleo']) await world.person(name, 'Engineer');
    await world.write('goal', 'ada', 'five', {
      title: 'Five a week',
      metric: 'pull-requests-count',
      should_be: 'above',
      value: 5,
      period: 'week',
      from: '2026-10-05',
      visible_to: 'organisation',
    });
    const rule = { goal_missed: { goal: 'five', periods: 2 } };
    await world.write('alert', 'ada', 'goals', { rule, to: [mail('ada'), mail('edsger')] });
    await evaluate();
    await evaluate();
    const [message, ...others] = await world.queued();
    expect([message?.receiver, message?.title, others]).toEqual(['ada@acme.example', 'Goal missed: Five a week', []]);
    expect(message?.content).toContain('/goal/five');
  });
});
