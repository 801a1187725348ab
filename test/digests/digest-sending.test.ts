import { describe, expect, test } from 'vitest';
import { mail, mergedPullRequest, openPullRequest, tellingWorld, webhook } from '../alerts/telling-world.ts';

// A Monday in Berlin, an hour before eight.
const world = tellingWorld('2026-11-13T10:00:00Z');
const send = () => world.app.digests.sendDue(world.organisationId);
const told = async () => (await world.queued()).map(({ receiver, title }) => `${receiver}: ${title}`);
const title = 'The week at Acme: 9–15 November 2026';
const monday = { board: null, every: 'monday 08:00', to: [mail('ada')] };

/** Twelve merged pull requests of the week before, so that its data are all there. */
async function fillWeek(): Promise<void> {
  const rows = Array.from({ length: 14 }, (_, n) => {
    const day = `2026-11-${String(9 + Math.floor(n / 2)).padStart(2, '0')}`;
    return mergedPullRequest(n, n % 2 === 0 ? 'grace' : 'edsger', `${day}T10:00:00Z`);
  });
  await world.put('pull_requests', rows);
}

describe('a digest', () => {
  test('A digest is sent when it is due, and once', async () => {
    await fillWeek();
    await world.write('digest', 'ada', 'weekly', monday);
    world.setTime('2026-11-16T07:59:00Z');
    await send();
    expect(await told()).toEqual([]);
    world.setTime('2026-11-16T08:00:00Z');
    await Promise.all([send(), send()]);
    expect(await told()).toEqual([`ada@acme.example: ${title}`]);
    await send();
    world.setTime('2026-11-22T08:00:00Z');
    await send();
    expect(await told()).toEqual([]);
  });

  test('A digest whose data are not through waits up to six hours, and says so', async () => {
    await world.put('pull_requests', [mergedPullRequest(1, 'grace', '2026-11-12T10:00:00Z')]);
    await world.write('digest', 'ada', 'weekly', { ...monday, to: [webhook] });
    world.setTime('2026-11-16T13:59:00Z');
    await send();
    expect(await told()).toEqual([]);
    world.setTime('2026-11-16T14:00:00Z');
    await send();
    const [message] = await world.queued();
    expect(message?.title).toBe(title);
    expect(message?.content).toContain('Not all data was there when this was sent: it is complete up to 12 Nov');
  });

  test('A digest of a board waits for the data of the days that it shows', async () => {
    await fillWeek();
    const panels = [{ title: 'Merged', metric: 'pull-requests-count', view: 'number' }];
    for (const [slug, range] of [
      ['days', '7d'],
      ['weeks', '2w'],
    ])
      await world.write('board', 'ada', slug ?? '', { title: slug, visible_to: 'organisation', range, panels });
    const wednesday = { every: 'wednesday 08:00', to: [webhook] };
    await world.write('digest', 'ada', 'days', { ...wednesday, board: 'days' });
    await world.write('digest', 'ada', 'weeks', { ...wednesday, board: 'weeks' });
    // The data are through to Sunday: whole weeks are there, and the last seven days are not.
    world.setTime('2026-11-18T08:00:00Z');
    await send();
    expect(await told()).toEqual(['127.0.0.1:9/…hook: weeks: 2–15 November 2026']);
    await world.put('pull_requests', [mergedPullRequest(50, 'grace', '2026-11-17T10:00:00Z')]);
    await send();
    expect(await told()).toEqual(['127.0.0.1:9/…hook: days: 11–17 November 2026']);
  });

  test('Data that come meanwhile end the wait', async () => {
    await world.put('pull_requests', [mergedPullRequest(1, 'grace', '2026-11-12T10:00:00Z')]);
    await world.write('digest', 'ada', 'weekly', monday);
    world.setTime('2026-11-16T09:00:00Z');
    await send();
    expect(await told()).toEqual([]);
    await fillWeek();
    await send();
    expect(await told()).toEqual([`ada@acme.example: ${title}`]);
  });

  test('A digest says figures, what waits and goals, in the rights of each receiver, and names nobody', async () => {
    await fillWeek();
    await world.put('pull_requests', [openPullRequest('99', 'grace', '2026-11-12T09:00:00Z')]);
    await world.write('goal', 'ada', 'ten', {
      title: 'Ten a week',
      metric: 'pull-requests-count',
      should_be: 'above',
      value: 10,
      period: 'week',
      visible_to: 'organisation',
    });
    await world.write('digest', 'ada', 'weekly', { ...monday, to: [webhook, mail('edsger')] });
    world.setTime('2026-11-16T08:00:00Z');
    await send();
    const [hook, edsger] = await world.queued();
    expect(edsger?.receiver).toBe('edsger@acme.example');
    const body = hook?.content ?? '';
    expect(body).toContain('Waiting for a first review: 1');
    expect(body).toContain('Ten a week');
    expect(body).toContain('Cycle time, median');
    expect(body).toContain('This is what ada');
    expect(body).not.toMatch(/grace|edsger/);
    // Of the link to the page, the days are those of the digest.
    expect(body).toContain('/delivery?r=2026-11-09.2026-11-15');
    expect(body).toContain('https://plumb.acme.example/goal/ten');
    expect(edsger?.content).not.toContain('Waiting for a first review');
  });

  test('A digest of a board says its panels, and leaves out for others what names people', async () => {
    await fillWeek();
    await world.write('board', 'ada', 'review', {
      title: 'Delivery review',
      visible_to: 'organisation',
      range: '7d',
      panels: [
        { title: 'Merged', metric: 'pull-requests-count', request: { date_level: 'day' }, view: 'bar' },
        { metric: 'pull-requests-count', request: { group_by: ['repository_name'] }, view: 'bar' },
      ],
    });
    await world.write('digest', 'ada', 'board', { ...monday, board: 'review', to: [webhook] });
    world.setTime('2026-11-16T08:00:00Z');
    await send();
    const [message] = await world.queued();
    expect(message?.title).toBe('Delivery review: 9–15 November 2026');
    expect(message?.content).toContain('"value":"14"');
    expect(message?.content).toContain('web: 14');
    // The board has changed since: what names people goes to no channel.
    const principal = await world.principal('ada');
    const panels = [
      { title: 'By person', metric: 'pull-requests-count', request: { group_by: ['name'] }, view: 'bar' },
    ];
    const written = { title: 'Delivery review', panels };
    await world.app.documents.board.put({ principal }, { slug: 'review', written }, { etags: 'any' });
    world.setTime('2026-11-23T14:00:00Z');
    await send();
    const [later] = await world.queued();
    expect(later?.content).toContain('Panels that name people');
    expect(later?.content).not.toMatch(/grace|edsger/);
  });
});
