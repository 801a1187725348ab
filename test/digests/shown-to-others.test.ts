import { describe, expect, test } from 'vitest';
import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { whyBoardNotShown, whyPanelNotShown } from '../../src/digests/board-panels.ts';
import { mail, mergedPullRequest, tellingWorld, webhook } from '../alerts/telling-world.ts';

describe('what a panel shows', () => {
  test('Every column that says who somebody is keeps a panel from others', () => {
    // They end as names of people do, and are about something else.
    const ofThings =
      /^(repo|repository|team|squad|project|status|branch|workflow|release|survey|sprint)_names?$|^person_(source|is_bot)$/;
    const ofPeople = /name$|email$|login$|person|^author$|creator|user_id|^pull_requests$/;
    const columns = [...metrics.values()].flatMap(({ name, table }) =>
      [...groupColumnsOf(table).keys()].map((column) => ({ metric: name, column })),
    );
    const naming = columns.filter(({ column }) => ofPeople.test(column) && !ofThings.test(column));
    expect(new Set(naming.map(({ column }) => column)).size).toBeGreaterThan(8);
    const shown = naming.filter(
      ({ metric, column }) =>
        whyPanelNotShown({ metric, request: { group_by: [column] }, view: 'bar' }, {}) === undefined,
    );
    expect([...new Set(shown.map(({ column }) => column))]).toEqual([]);
  });

  test('A filter of the board by person keeps all of it from others', () => {
    const panels = [{ metric: 'pull-requests-count', view: 'number' as const }];
    expect(whyBoardNotShown({ title: 'One', panels })).toBeUndefined();
    expect(whyBoardNotShown({ title: 'One', panels, filters: { member: ['grace'] } })).toContain('member');
  });
});

describe('a digest to a channel', () => {
  const world = tellingWorld('2026-11-13T10:00:00Z');
  const monday = { every: 'monday 08:00', to: [webhook] };
  const panels = [{ title: 'Merged', metric: 'pull-requests-count', view: 'number' }];
  const fillWeek = () =>
    world.put(
      'pull_requests',
      Array.from({ length: 14 }, (_, n) =>
        mergedPullRequest(n, 'grace', `2026-11-${String(9 + Math.floor(n / 2)).padStart(2, '0')}T10:00:00Z`),
      ),
    );
  const sentOnMonday = async (): Promise<string> => {
    world.setTime('2026-11-16T08:00:00Z');
    await world.app.digests.sendDue(world.organisationId);
    return (await world.queued()).map(({ content }) => content).join('\n');
  };

  test('A board whose own filters name a person is refused, and loses its panels where it names one later', async () => {
    await fillWeek();
    const board = { title: 'Review', visible_to: 'organisation', range: '7d', panels };
    await world.write('board', 'ada', 'of-one', { ...board, filters: { member: ['grace'] } });
    await expect(world.write('digest', 'ada', 'of-one', { ...monday, board: 'of-one' })).rejects.toThrow(
      'the filter member names a person',
    );
    await world.write('digest', 'ada', 'of-one', { ...monday, board: 'of-one', to: [mail('ada')] });
    await world.write('board', 'ada', 'review', board);
    await world.write('digest', 'ada', 'review', { ...monday, board: 'review' });
    await world.app.documents.board.put(
      { principal: await world.principal('ada') },
      { slug: 'review', written: { ...board, filters: { member: ['grace'] } } },
      { etags: 'any' },
    );
    const content = (await sentOnMonday()).split('\n').find((one) => one.startsWith('{"delivery"'));
    expect(content).toContain('Panels that name people');
    expect(content).not.toContain('"value":"14"');
  });

  test('Goals of the people of one manager are left out', async () => {
    await fillWeek();
    const goal = {
      metric: 'pull-requests-count',
      should_be: 'above',
      value: 10,
      period: 'week',
      visible_to: 'organisation',
    };
    await world.write('goal', 'ada', 'all', { ...goal, title: 'Ten a week' });
    const filters = { manager_email: ['grace@acme.example'] };
    await world.write('goal', 'ada', 'reports', { ...goal, title: 'Ten of hers', filters });
    await world.write('digest', 'ada', 'overview', { ...monday, board: null });
    const content = await sentOnMonday();
    expect(content).toContain('Ten a week');
    expect(content).not.toContain('Ten of hers');
  });
});
