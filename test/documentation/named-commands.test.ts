import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { callPlumb } from '../setup/plumb-call.ts';
import { pages, readPage } from './page-blocks.ts';

/** Commands that pages name in the middle of a sentence, such as `plumb key list --org Acme`. */
const named = ['CHANGELOG.md', ...pages].flatMap((page) =>
  [...readPage(page).matchAll(/`(?:npx )?plumb ([a-z][^`]*)`/g)].map(([, words = '']) => ({ page, words })),
);

const helps = new Map<string, Promise<string | undefined>>();

/** The help of a command, or nothing where there is no such command. */
function helpOf(command: string): Promise<string | undefined> {
  const known = helps.get(command);
  if (known) return known;
  const asked = callPlumb(tmpdir(), [...command.split(' '), '--help']).then(({ stdout }) =>
    stdout.includes(`Usage: plumb ${command} `) ? stdout : undefined,
  );
  helps.set(command, asked);
  return asked;
}

test('Commands and options that pages name exist', async () => {
  const wrong: string[] = [];
  for (const { page, words } of named) {
    const [first = '', second] = words.split(/\s+/);
    const isGroup = (await helpOf(first))?.includes('\nCommands:') === true && /^[a-z]/.test(second ?? '');
    const help = await helpOf(isGroup ? `${first} ${second}` : first);
    const options = words.match(/(?<=\s)--[a-z-]+/g) ?? [];
    if (help === undefined) wrong.push(`${page}: plumb ${words}: there is no such command`);
    else if (options.some((option) => !help.includes(option))) wrong.push(`${page}: plumb ${words}: no such option`);
  }
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(60);
});
