import { describe, expect, test } from 'vitest';
import { clausesOf } from '../../../src/conclusions/change-words.ts';
import { comparedBy, comparedOf } from '../../../src/conclusions/compared.ts';
import { partBehind } from '../../../src/conclusions/part-of-change.ts';
import { changeClause, changeWords, saidVerdict } from '../../../src/conclusions/verdict-words.ts';
import { aChange } from '../pages/a-change.ts';

const hour = 3_600;

describe('a change on a page', () => {
  test('A change on a page has an arrow, a direction and a colour where the verdict has one', () => {
    expect(changeWords(aChange(18 * hour, 30 * hour, 'down', 'duration'))).toMatchObject({
      text: '−12h shorter',
      arrow: '↓',
      tone: 'good',
    });
    expect(changeWords(aChange(31, 30, 'up', 'count'))).toMatchObject({ arrow: '↑', tone: 'bad' });
    expect(changeWords({ ...aChange(31, 30, 'up', 'count'), isBetter: null }).tone).toBe('secondary');
  });

  test.each([
    ['about_the_same', 'About the same'],
    ['too_close', 'Too close to call'],
    ['too_few', '4 pull requests: too few to say, 30h before'],
    ['no_comparison', 'No comparison, 30h before'],
    [null, '30h before'],
  ] as const)('has none by a verdict of %s, however far it moved', (verdict, text) => {
    const said = changeWords(aChange(2 * hour, 30 * hour, verdict, 'duration', 4), 'pull requests');
    expect(said).toMatchObject({ text: text.replace('30h', '1d 6h'), tone: 'secondary' });
    expect(said.arrow).toBeUndefined();
  });

  test('A change on a page of numbers that nobody judges is called none where a window is not known in full', () => {
    const sums = { ...aChange(1_200, 640, null, 'count'), isComparable: false };
    expect([saidVerdict(sums), changeWords(sums).text]).toEqual(['no_comparison', 'No comparison, 640 before']);
    expect([saidVerdict({ ...sums, isComparable: true }), changeClause(sums, 'May')]).toEqual([
      null,
      ', with nothing complete to compare with in May',
    ]);
    // The server knows what it says.
    expect(saidVerdict({ ...sums, verdict: 'up' })).toBe('up');
  });

  test('A change on a page is one per day where the longer month has more in all', () => {
    const march = aChange(2_850, 2_800, 'down', 'count');
    expect(changeWords(march)).toMatchObject({ text: 'fewer per day', arrow: '↓' });
    expect(changeClause(march, 'February')).toBe(', fewer per day than in February');
    expect(clausesOf([{ called: 'runs', figure: march }])).toMatchObject([{ became: 'fell per day, to 2,850' }]);
    expect(changeWords(aChange(60, 60, 'up', 'count')).text).toBe('more per day');
  });

  test('A change on a page names the window that has too few', () => {
    const few = { ...aChange(9, 5, 'too_few', 'duration', 50), before: { value: 5, n: 1 } };
    expect(changeWords(few, 'runs').text).toBe('1 run before: too few to say, 5s before');
  });
});

describe('the part of a change that a sentence names', () => {
  const whole = { verdict: 'up', moved: 10 } as const;
  const part = (moved: number, verdict: 'up' | 'down' | 'too_few' | 'too_close' = 'up') => ({ moved, verdict });

  test('The part of a change that a sentence names bears at least half of it', () => {
    expect(partBehind(whole, [part(5), part(3)])).toEqual(part(5));
    expect(partBehind(whole, [part(4), part(3)])).toBeUndefined();
    expect(partBehind({ verdict: 'down', moved: -10 }, [part(9), part(-6, 'down')])).toEqual(part(-6, 'down'));
  });
  test('The part of a change that a sentence names bears at least half of all that moved the same way, also where other parts moved back', () => {
    expect(partBehind(whole, [part(9), part(8), part(5), part(-12, 'down')])).toBeUndefined();
  });
  test('The part of a change that a sentence names has a verdict of its own, in the same direction, and so has the whole', () => {
    expect(partBehind(whole, [part(9, 'too_few')])).toBeUndefined();
    expect(partBehind(whole, [part(9, 'too_close'), part(9)])).toBeUndefined();
    expect(partBehind({ verdict: 'too_close', moved: 10 }, [part(9)])).toBeUndefined();
  });
});

describe('results of a compared question', () => {
  const judged = {
    previous_value: 2,
    n: 20,
    previous_n: 30,
    verdict: 'up',
    is_better: false,
    group_by: { team_name: 'A' },
  };
  const results = [
    { ...judged, metric_name: 'cycle-time', value: 4 },
    { ...judged, metric_name: 'pull-requests-size.additions', value: 5 },
    { ...judged, metric_name: 'pull-requests-size.total_changes', value: 6 },
  ];
  test('Results of a compared question are read by metric and by group, of a size the one it is filtered by', () => {
    const change = { before: { value: 2, n: 30 }, verdict: 'up', isBetter: false };
    expect(comparedOf(results, 'cycle-time')).toEqual({ ...change, now: { value: 4, n: 20 } });
    expect(comparedOf(results, 'pull-requests-size').now.value).toBe(6);
    expect(comparedBy(results, 'cycle-time', 'team_name')).toEqual([
      { ...change, now: { value: 4, n: 20 }, name: 'A' },
    ]);
  });
  test('Results of a compared question know a count of 0 that is compared, and no 0 of which nothing is known', () => {
    const none = { ...judged, metric_name: 'pull-requests-count', value: 20, previous_value: 0, previous_n: 0 };
    expect(comparedOf([none], 'pull-requests-count').before).toEqual({ value: 0, n: 0 });
    expect(comparedOf([{ ...none, verdict: 'no_comparison' }], 'pull-requests-count').before.value).toBeNull();
  });
});
