import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connectAgent, connectByHttp } from '../mcp/connected-agent.ts';
import { type Block, blocksOf, readPage, root } from './page-blocks.ts';
import type { ShellSession } from './shell-session.ts';
import { isAsShown, pastedCommands, type ShownCommand, typedCommands } from './shown-commands.ts';

/** What cannot run here says why, in a comment before the block, which pages do not show. */
const reasons = ['needs docker', 'needs helm', 'needs an outside service', 'needs pandas'];

/** Commands that pages name and that are tried elsewhere. */
export const triedElsewhere: Readonly<Record<string, string>> = {
  'npm start':
    'scripts/set-up.mjs runs before every test; test/setup/demo-folder.ts serves an empty folder with --demo',
  'npm test': 'runs this test',
};

interface Trial {
  readonly session: ShellSession;
  /** Pages write `plumb_…` for the key of the demo. */
  readonly demoKey: string | undefined;
  /** The command right before, and what it printed: a block of JSON behind it is its answer. */
  answered?: { readonly words: string; readonly printed: string } | undefined;
  /** Programs that no command has run yet. */
  readonly saved: Set<string>;
}

type Try = (block: Block, trial: Trial) => Promise<string[]>;

/** How a block is tried, by its language. */
const tries: Readonly<Record<string, Try>> = {
  sh: ({ text }, trial) => tryCommands(pastedCommands(text), trial),
  console: ({ text }, trial) => tryCommands(typedCommands(text), trial),
  json: tryJson,
  ts: saveProgram,
  text: async ({ text }) =>
    /^(?:\$|npx|npm|plumb|curl|git|docker|helm|node) /m.test(text) ? ['has a command that is not tried'] : [],
};

/** Tries every block of a page in order, in one shell, and answers what is not as the page says. */
export async function problemsOf(page: string, session: ShellSession, demoKey: string | undefined): Promise<string[]> {
  const problems: string[] = [];
  const trial: Trial = { session, demoKey, saved: new Set() };
  for (const block of blocksOf(page)) {
    if (block.language !== 'json') trial.answered = undefined;
    const found =
      block.mark === undefined ? await (tries[block.language] ?? unknown)(block, trial) : problemsOfMark(block);
    problems.push(...found.map((problem) => `${page}:${block.line}: ${problem}`));
  }
  return [...problems, ...[...trial.saved].map((name) => `${page}: no command runs ${name}`)];
}

const unknown: Try = async ({ language }) => [
  `a block of '${language}' is neither tried nor marked: <!-- ${reasons.join(' -->, <!-- ')} -->`,
];

function problemsOfMark({ text, mark = '' }: Block): string[] {
  if (reasons.includes(mark)) return [];
  const [, file] = /^from (\S+)$/.exec(mark) ?? [];
  if (file === undefined) return [`'${mark}' is no reason: ${reasons.join(', ')}, or 'from' and a file`];
  if (!existsSync(join(root, file))) return [`there is no ${file}`];
  const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
  const all = plain(readPage(file));
  // An excerpt may leave lines out, where it says so.
  let from = 0;
  for (const part of text.split(/^\s*…\s*$/m).map(plain)) {
    const at = all.indexOf(part, from);
    if (at === -1) return [`${file} does not have: ${part}`];
    from = at + part.length;
  }
  return [];
}

async function tryCommands(commands: readonly ShownCommand[], trial: Trial): Promise<string[]> {
  const problems: string[] = [];
  for (const [i, { words, answer }] of commands.entries()) {
    if (Object.hasOwn(triedElsewhere, words.replace(/ +#.*$/, ''))) continue;
    if (answer !== undefined) saveShownFile(words, answer, trial);
    const { printed, code } = await trial.session.run(words.replaceAll('plumb_…', trial.demoKey ?? 'plumb_…'));
    // Whoever looks at `$?` expects something else than 0.
    const mayFail = commands[i + 1]?.words === 'echo $?';
    if (code !== 0 && !mayFail) problems.push(`ended with ${code}: ${differs(words, printed)}`);
    else if (/\/metrics\//.test(words) && printed.trim() === '[]') problems.push(`finds nothing: ${words}`);
    else if (answer !== undefined && !isAsShown(printed, answer)) problems.push(differs(words, printed));
    trial.answered = { words, printed };
    for (const name of trial.saved) if (words.includes(name)) trial.saved.delete(name);
  }
  return commands.length === 0 ? ['there is no command in it'] : problems;
}

/** A file that a page shows with `cat` is one that its reader has. */
function saveShownFile(words: string, text: string, { session }: Trial): void {
  const [, name] = /^cat (\S+)$/.exec(words) ?? [];
  if (name !== undefined) writeFileSync(join(session.folder, name), `${text}\n`);
}

const differs = (words: string, printed: string): string => `${words}\nprinted:\n${printed.slice(0, 4_000)}`;

async function tryJson(block: Block, trial: Trial): Promise<string[]> {
  const { session, demoKey, answered } = trial;
  if (block.followsBlock && answered) {
    const { words, printed } = answered;
    return isAsShown(printed, block.text, { isJson: true }) ? [] : [differs(words, printed)];
  }
  if (!block.text.includes('"mcpServers"')) return unknown(block, trial);
  const text = block.text.replaceAll('plumb_…', demoKey ?? 'plumb_…');
  return tryAgent(session, text).then(
    () => [],
    (error: Error) => [error.message],
  );
}

/** A program says in its first line under which name it is saved; a command runs it. */
async function saveProgram(block: Block, trial: Trial): Promise<string[]> {
  const [, name] = /^\/\/ (\S+)\n/.exec(block.text) ?? [];
  if (name === undefined) return unknown(block, trial);
  writeFileSync(join(trial.session.folder, name), trial.session.toHere(block.text));
  trial.saved.add(name);
  return [];
}

/** The configuration of an agent's program: the official client does with it what such programs do. */
async function tryAgent(session: ShellSession, text: string): Promise<void> {
  // Where the page has its clone, this one is.
  const place = session
    .toHere(text)
    .replaceAll('/srv/plumb/data', join(session.folder, 'data'))
    .replaceAll('/srv/plumb', root);
  const { plumb } = (
    JSON.parse(place) as {
      mcpServers: {
        plumb:
          | { readonly url: string; readonly headers: { readonly Authorization: string } }
          | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
      };
    }
  ).mcpServers;
  const agent =
    'url' in plumb
      ? await connectByHttp(plumb.url.replace(/\/mcp$/, ''), plumb.headers.Authorization)
      : await connectAgent(new StdioClientTransport({ ...plumb, env: { PATH: process.env.PATH ?? '', ...plumb.env } }));
  try {
    const { rows } = await agent.ask('query_metric', { metric: 'users-count', filters: {} });
    if (rows.length !== 1) throw new Error(`The agent got ${rows.length} rows.`);
  } finally {
    await agent.close();
  }
}
