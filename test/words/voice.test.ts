import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type InterfaceText, isProse, textsOf } from './interface-texts.ts';
import { brokenRules, hasPlainApostrophe, isTitleCase, saysOnboarding } from './voice-rules.ts';

const root = new URL('../../', import.meta.url);

/** Code that people copy, statements for engines, styles, invented records, and pages of the documentation. */
const notOfInterface =
  /^(?:src\/(?:warehouse|store|demo|client|expression)\/|src\/cli\/completion\/completion-scripts|src\/mcp\/glossary|src\/sources\/gitlab\/convert\/notes|src\/sources\/github\/streams\/read-directory|src\/catalogue\/describe|src\/http\/(?:pages\/html-page|reference\/(?:llms-text|try-form))|web\/src\/(?:docs\/|ask\/(?:request-texts|picked-rows|catalogue)|view\/chart-picture))/;

const files = ['src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !notOfInterface.test(file)),
);

const texts = files.flatMap((file) => textsOf(file, root)).filter(isProse);

const listed = (check: (text: InterfaceText) => readonly string[]): string[] =>
  texts.flatMap((text) => check(text).map((broken) => `${text.place} says ${broken}`));

test('Every text of the interface follows the rules of plain product English', () => {
  expect(texts.length).toBeGreaterThan(3_000);
  expect(listed(({ text }) => brokenRules(text))).toEqual([]);
});

test('Pages and commands say who is in metrics, and onboarding is left to the interface for programs', () => {
  const isOfProgram = /^src\/(?:http|mcp|directory)/;
  const reasonOfTheInterface = 'not onboarded';
  expect(
    listed(({ text, place }) =>
      saysOnboarding(text) && text !== reasonOfTheInterface && !isOfProgram.test(place) ? [`“${text}”`] : [],
    ),
  ).toEqual([]);
});

test('Pages and pictures have one kind of apostrophe', () => {
  const isOfPages = /^(?:web|src\/(?:charts|conclusions|http\/pages|cli))\//;
  expect(listed(({ text, place }) => (isOfPages.test(place) && hasPlainApostrophe(text) ? [`“${text}”`] : []))).toEqual(
    [],
  );
});

test('Headings, labels and buttons are in sentence case', () => {
  const roles = ['title', 'label', 'caption', 'verb', 'name', 'aria-label', 'heading'];
  expect(
    listed(({ text, role = '', place }) =>
      roles.includes(role) && /^(?:web|src\/catalogue\/labels|src\/sources)/.test(place) && isTitleCase(text)
        ? [`“${text}”`]
        : [],
    ),
  ).toEqual([]);
});
