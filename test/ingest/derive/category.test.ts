import { describe, expect, test } from 'vitest';
import { type Category, categoryOf } from '../../../src/ingest/derive/category.ts';

const said = (parts: { labels?: readonly string[]; title?: string; headBranch?: string }) =>
  categoryOf({ labels: parts.labels ?? [], title: parts.title ?? null, headBranch: parts.headBranch ?? null });

describe('labels', () => {
  test.each<[string, Category | null]>([
    ['bug', 'Bug Fixes'],
    ['Bug', 'Bug Fixes'],
    ['type: bug', 'Bug Fixes'],
    ['kind/bug', 'Bug Fixes'],
    ['T-bug', 'Bug Fixes'],
    ['hot-fix', 'Bug Fixes'],
    ['enhancement', 'Feature Work'],
    ['New Feature', 'Feature Work'],
    ['C-feature-request', 'Feature Work'],
    ['dependencies', 'Tech Improvements'],
    ['tech_debt', 'Tech Improvements'],
    ['Refactoring', 'Tech Improvements'],
    ['documentation', 'Tech Improvements'],
    ['wontfix', null],
    ['needs tests', null],
    ['bug bash', null],
    ['area/docs', null],
    ['good first issue', null],
    ['constructor', null],
    ['', null],
  ])('%s says %s', (label, category) => {
    expect(said({ labels: [label] })).toBe(category);
  });

  test('Labels of several kinds make it a fix first, then a feature, in whatever order they stand', () => {
    expect(said({ labels: ['docs', 'bug', 'feature'] })).toBe('Bug Fixes');
    expect(said({ labels: ['feature', 'docs', 'bug'] })).toBe('Bug Fixes');
    expect(said({ labels: ['docs', 'feature', 'help wanted'] })).toBe('Feature Work');
  });

  test('Labels are heard before the title, and the title before the branch', () => {
    const all = { labels: ['bug'], title: 'feat: add login', headBranch: 'chore/login' };
    expect(said(all)).toBe('Bug Fixes');
    expect(said({ ...all, labels: ['help wanted'] })).toBe('Feature Work');
    expect(said({ ...all, labels: [], title: 'Login' })).toBe('Tech Improvements');
  });
});

describe('titles', () => {
  test.each<[string, Category | null]>([
    ['feat: add login', 'Feature Work'],
    ['feat(api)!: add login', 'Feature Work'],
    ['Feature: login', 'Feature Work'],
    ['fix: crash on start', 'Bug Fixes'],
    ['FIX(ui): crash', 'Bug Fixes'],
    ['chore(deps): bump fastify from 5.1 to 5.2', 'Tech Improvements'],
    ['refactor: split the planner', 'Tech Improvements'],
    ['test: fix flaky start', 'Tech Improvements'],
    ['refactor, test: make it shorter', 'Tech Improvements'],
    ['revert: feat: add login', 'Bug Fixes'],
    ['[bugfix] login', 'Bug Fixes'],
    ['[ABC-12] Fix login', 'Bug Fixes'],
    ['ABC-12: Add login', 'Feature Work'],
    ['ABC-12 feat: login', 'Feature Work'],
    ['[backend] feat: login', 'Feature Work'],
    ['WIP: [ui] fix: login', 'Bug Fixes'],
    ['wallet, rpc: fix the fee', 'Bug Fixes'],
    ['wallet: add a fee', 'Feature Work'],
    ['Fixes #12: login', 'Bug Fixes'],
    ['Revert "Add login"', 'Bug Fixes'],
    ['Login crashes on empty password', 'Bug Fixes'],
    ['Handle regression in login', 'Bug Fixes'],
    ['Add login', 'Feature Work'],
    ['Implement login', 'Feature Work'],
    ['Allow login: with a token', 'Feature Work'],
    ['Add tests for login', 'Tech Improvements'],
    ['Bump fastify from 5.1 to 5.2', 'Tech Improvements'],
    ['Update dependency fastify to v5.2', 'Tech Improvements'],
    ['Remove unused feature flag', 'Tech Improvements'],
    ['Rename prefix', 'Tech Improvements'],
    ['Update the login', null],
    ['Login', null],
    ['Prefix the name', null],
    ['Additional names', null],
    ['Testament of names', null],
    ['登录页面', null],
    ['', null],
    ['   ', null],
    [':', null],
    ['[]', null],
  ])('%s says %s', (title, category) => {
    expect(said({ title })).toBe(category);
  });

  test('Titles of ten thousand characters are read at once', () => {
    const started = performance.now();
    for (const part of ['[', ':', 'a', '(', 'a: ', '[a]', '#1', 'add ', ' ']) said({ title: part.repeat(10_000) });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('branches', () => {
  test.each<[string, Category | null]>([
    ['feature/login', 'Feature Work'],
    ['feat-login', 'Feature Work'],
    ['ada/feature/login', 'Feature Work'],
    ['fix/login', 'Bug Fixes'],
    ['ada/fix-crash', 'Bug Fixes'],
    ['hotfix/1.2.1', 'Bug Fixes'],
    ['bugfix_login', 'Bug Fixes'],
    ['revert-12-feature/login', 'Bug Fixes'],
    ['feature/fix-login', 'Feature Work'],
    ['chore/login', 'Tech Improvements'],
    ['dependabot/npm_and_yarn/fastify-5.2', 'Tech Improvements'],
    ['test/login', 'Tech Improvements'],
    ['ada/login-test', null],
    ['fixture', null],
    ['main', null],
    ['test', null],
    ['release/1.2', null],
    ['release-1.2', null],
    ['', null],
  ])('%s says %s', (headBranch, category) => {
    expect(said({ headBranch })).toBe(category);
  });
});

test('Nothing said is no category', () => {
  expect(said({})).toBeNull();
});
