import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AiTraces, addedLinesOf, deriveAiShare, isClaimAllowed } from '../../../src/ingest/derive/ai-share.ts';
import { times } from '../../setup/how-long.ts';

const noTraces: AiTraces = {
  givenLines: null,
  attributedLines: null,
  commitAdditions: 100,
  additions: 80,
  usedSources: [],
  attributedSources: [],
};
const derive = (traces: Partial<AiTraces>) => deriveAiShare({ ...noTraces, ...traces });

describe('the share of AI', () => {
  test('The share of AI is its lines over the added lines of the commits', () => {
    expect(derive({ attributedLines: 25 }).ai_pct_of_code).toBe(0.25);
  });

  test('The share of AI is over the pull request’s own lines where the commits tell none', () => {
    expect(derive({ attributedLines: 20, commitAdditions: null }).ai_pct_of_code).toBe(0.25);
    expect(derive({ attributedLines: 20, commitAdditions: 0 }).ai_pct_of_code).toBe(0.25);
  });

  test('The share of AI is missing when nothing is attributed', () => {
    expect(derive({})).toEqual({ ai_pct_of_code: null, is_ai_assisted: false, ai_sources: '[]' });
  });

  test('The share of AI is 0 when it is known that AI wrote nothing', () => {
    expect(derive({ givenLines: 0 })).toMatchObject({ ai_pct_of_code: 0, is_ai_assisted: false });
    expect(derive({ attributedLines: 0 })).toMatchObject({ ai_pct_of_code: 0, is_ai_assisted: false });
  });

  test('The share of AI takes what the record gives before what sessions attribute', () => {
    expect(derive({ givenLines: 10, attributedLines: 90 }).ai_pct_of_code).toBe(0.1);
    expect(derive({ givenLines: 0, attributedLines: 90 }).ai_pct_of_code).toBe(0);
  });

  test('The share of AI is 1 at most, also when lines were written and taken out again', () => {
    expect(derive({ attributedLines: 400 }).ai_pct_of_code).toBe(1);
    expect(derive({ attributedLines: 4, commitAdditions: 0, additions: 0 }).ai_pct_of_code).toBe(1);
  });

  test('The share of AI is missing where there are no lines to share, or their number is not known', () => {
    expect(derive({ attributedLines: 0, commitAdditions: 0, additions: 0 }).ai_pct_of_code).toBeNull();
    expect(derive({ attributedLines: 0, commitAdditions: null, additions: 0 }).ai_pct_of_code).toBeNull();
    expect(derive({ attributedLines: 5, commitAdditions: null, additions: null })).toMatchObject({
      ai_pct_of_code: null,
      is_ai_assisted: true,
    });
  });

  test('The share of AI is never below 0 or above 1, and never a number that is none', () => {
    const lines = fc.option(fc.nat(200), { nil: null });
    const traces = fc.record({ givenLines: lines, attributedLines: lines, commitAdditions: lines, additions: lines });
    fc.assert(
      fc.property(traces, (one) => {
        const { ai_pct_of_code: share, is_ai_assisted } = derive(one);
        if (share !== null) expect(share >= 0 && share <= 1).toBe(true);
        expect(is_ai_assisted || !((share ?? 0) > 0)).toBe(true);
      }),
      { numRuns: times(300) },
    );
  });
});

describe('a pull request', () => {
  test('A pull request is AI-assisted when AI wrote some of it or its author used AI meanwhile', () => {
    expect(derive({ givenLines: 1 }).is_ai_assisted).toBe(true);
    expect(derive({ attributedLines: 1 }).is_ai_assisted).toBe(true);
    expect(derive({ usedSources: ['cursor'] })).toMatchObject({ ai_pct_of_code: null, is_ai_assisted: true });
    expect(derive({ givenLines: 0, usedSources: ['cursor'] })).toMatchObject({
      ai_pct_of_code: 0,
      is_ai_assisted: true,
    });
  });

  test('A pull request is AI-assisted by an assistant that nobody named', () => {
    expect(derive({ usedSources: [null] })).toMatchObject({ is_ai_assisted: true, ai_sources: '[]' });
  });

  test('A pull request names each assistant once, in order', () => {
    const { ai_sources } = derive({
      attributedLines: 5,
      usedSources: ['cursor', 'claude-code', 'cursor', null],
      attributedSources: ['codex', 'claude-code'],
    });
    expect(ai_sources).toBe('["claude-code","codex","cursor"]');
  });

  test('A pull request names no assistant when none had a part in it', () => {
    expect(derive({ attributedLines: 0, attributedSources: ['codex'] })).toMatchObject({
      is_ai_assisted: false,
      ai_sources: '[]',
    });
  });
});

describe('the added lines of commits', () => {
  test('The added lines of commits add up', () => {
    expect(addedLinesOf([{ additions: 3 }, { additions: 0 }, { additions: 4 }])).toBe(7);
  });

  test('The added lines of commits are not known when there is no commit, or one does not say', () => {
    expect(addedLinesOf([])).toBeNull();
    expect(addedLinesOf([{ additions: 3 }, { additions: null }])).toBeNull();
  });
});

describe('a claim of a session', () => {
  const bobs = { engineer: 'bob', isSentByEngineer: true };

  test.each([
    ['the author of the pull request', bobs, ['ada'], 'bob', true],
    ['the author of the commit', bobs, ['bob'], 'ada', true],
    ['one of the names under which the commit is there', bobs, ['ada', 'bob'], 'ada', true],
    ['nobody who made it', bobs, ['ada'], 'ada', false],
    ['nobody who made it, where the author of the pull request is not known', bobs, ['ada'], null, false],
    ['somebody, of a commit whose author is not known', bobs, [null], 'ada', true],
    ['an engineer who is not known', { ...bobs, engineer: null }, ['ada'], 'ada', true],
    ['somebody else, brought by an Owner or an import', { ...bobs, isSentByEngineer: false }, ['ada'], 'ada', true],
  ] as const)('by %s', (_, claim, commitAuthors, author, isAllowed) => {
    expect(isClaimAllowed(claim, commitAuthors, author)).toBe(isAllowed);
  });
});
