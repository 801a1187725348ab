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

/** A way in which a page is not true. */
type Problem = string;

/** Runs every block of a page in order, in one shell, and answers what is not as the page says. */
export async function problemsOf(page: string, session: ShellSession, demoKey: string | undefined): Promise<Problem[]> {
  const problems: Problem[] = [];
  let before: { readonly words: string; readonly printed: string } | undefined;
  for (const block of blocksOf(page)) {
    const say = (problem: string) => problems.push(`${page}:${block.line}: ${problem}`);
    const here = (text: string) => (demoKey === undefined ? text : text.replaceAll('plumb_…', demoKey));
    const answered = before;
    before = undefined;
    if (block.mark !== undefined) {
      const problem = problemOfMark(block, block.mark);
      if (problem !== undefined) say(problem);
    } else if (block.language === 'json' && block.followsBlock && answered) {
      if (!isAsShown(answered.printed, block.text, { isJson: true })) say(differs(answered.words, answered.printed));
    } else if (block.language === 'json' && block.text.includes('"mcpServers"')) {
      await tryAgent(session, here(block.text)).catch((error: Error) => say(error.message));
    } else if (block.language === 'ts' && /^\/\/ (\S+)$/m.test(block.text)) {
      writeFileSync(join(session.folder, /^\/\/ (\S+)$/m.exec(block.text)?.[1] ?? ''), session.toHere(block.text));
    } else if (block.language === 'sh' || block.language === 'console') {
      const commands = (block.language === 'sh' ? pastedCommands : typedCommands)(block.text);
      if (commands.length === 0) say('there is no command in it');
      for (const [i, command] of commands.entries()) {
        if (Object.keys(triedElsewhere).some((words) => command.words.split(/ +#/)[0]?.trim() === words)) continue;
        const next = commands[i + 1]?.words;
        const { problem, printed } = await tryCommand(session, { ...command, words: here(command.words) }, next);
        if (problem !== undefined) say(problem);
        before = { words: command.words, printed };
      }
    } else if (block.language !== 'text') {
      say(`a block of '${block.language}' is neither tried nor marked: <!-- ${reasons.join(' -->, <!-- ')} -->`);
    } else if (/^(?:\$|npx|npm|plumb|curl|git|docker|helm|node) /m.test(block.text))
      say('has a command that is not tried');
  }
  return problems;
}

function problemOfMark({ text }: Block, mark: string): string | undefined {
  if (reasons.includes(mark)) return undefined;
  const [, file] = /^from (\S+)$/.exec(mark) ?? [];
  if (file === undefined) return `'${mark}' is no reason: ${reasons.join(', ')}, or 'from' and a file`;
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
  const all = plain(readPage(file));
  // An excerpt may leave lines out, where it says so.
  let from = 0;
  for (const part of text.split(/^\s*(?:\/\/ )?…\s*$/m).map(plain)) {
    const at = all.indexOf(part, from);
    if (at === -1) return `${file} does not have: ${part}`;
    from = at + part.length;
  }
  return undefined;
}

/** `next` is the command behind it: whoever looks at `$?` expects something else than 0. */
async function tryCommand(
  session: ShellSession,
  { words, answer }: ShownCommand,
  next: string | undefined,
): Promise<{ readonly printed: string; readonly problem?: string }> {
  // A file that a page shows is one that its reader has.
  const [, shownFile] = /^cat (\S+)$/.exec(words) ?? [];
  if (shownFile !== undefined && answer !== undefined && !existsSync(join(session.folder, shownFile))) {
    writeFileSync(join(session.folder, shownFile), `${answer}\n`);
  }
  const { printed, code } = await session.run(words);
  if (code !== 0 && next !== 'echo $?') return { printed, problem: `ended with ${code}: ${differs(words, printed)}` };
  if (/\/metrics\//.test(words) && printed.trim() === '[]') return { printed, problem: `${words}\nfinds nothing` };
  const problem = answer === undefined || isAsShown(printed, answer) ? undefined : differs(words, printed);
  return { printed, ...(problem === undefined ? {} : { problem }) };
}

const differs = (words: string, printed: string): string => `${words}\nprinted:\n${printed.slice(0, 4_000)}`;

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
