import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { callPlumb } from '../setup/plumb-call.ts';

const scriptFor = async (shell: string) => (await callPlumb('/nowhere', ['completion', shell])).stdout;

/** Whatever the help of a command names. */
async function helpOf(...words: string[]): Promise<{ options: string[]; commands: string[] }> {
  const { stdout } = await callPlumb('/nowhere', [...words, '--help']);
  const [, options = '', commands = ''] = /\nOptions:\n(.*?)(?:\n\nCommands:\n(.*?))?(?:\n\n|\n*$)/s.exec(stdout) ?? [];
  return {
    options: [...options.matchAll(/^ {2}(--\S+?)(?:, (--[a-z-]+))?[ \n]/gm)].flatMap(([, one, two]) =>
      [one, two].flatMap((word) => word ?? []),
    ),
    commands: [...commands.matchAll(/^ {2}([a-z-]+)/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => name !== 'help'),
  };
}

describe('plumb completion', () => {
  test('plumb completion completes in bash what the help names, and the names of metrics', async () => {
    const script = await scriptFor('bash');
    /** What bash offers behind these words. */
    const offered = (...words: string[]) => {
      const line = `${script}\nCOMP_WORDS=(plumb "$@"); COMP_CWORD=$#; _plumb; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line, 'bash', ...words], { encoding: 'utf8' })
        .trimEnd()
        .split('\n');
    };
    const { commands } = await helpOf();
    expect(commands).toContain('query');
    expect(offered('')).toEqual(expect.arrayContaining([...commands, '--version', '--help']));
    for (const place of [['org', 'delete'], ['import'], ['query'], ['key', 'revoke']]) {
      const { options } = await helpOf(...place);
      expect(options.length).toBeGreaterThan(2);
      expect(offered(...place, '--').toSorted()).toEqual([...new Set([...options, '--help'])].toSorted());
    }
    expect(offered('org', '')).toEqual(expect.arrayContaining((await helpOf('org')).commands));
    expect(offered('query', 'cycle-t')).toEqual(['cycle-time']);
    expect(offered('import', '--dates', '')).toEqual(['dmy', 'mdy']);
    expect(offered('source', 'add', 'git')).toEqual(['git', 'github', 'github-copilot', 'gitlab']);
    expect(offered('query', 'cycle-time', '--per', '')).toEqual(['day', 'week', 'month', 'quarter', 'year']);
    expect(offered('import', '--org', 'org', '--table', 'pull_request_c')).toEqual([
      'pull_request_comments',
      'pull_request_commits',
    ]);
  });

  test('plumb completion has the same words in zsh and fish', async () => {
    const [zsh, fish] = [await scriptFor('zsh'), await scriptFor('fish')];
    const { options } = await helpOf('org', 'delete');
    for (const option of options) {
      expect(zsh).toContain(`'${option}:`);
      expect(fish).toContain(`-n 'test (__plumb_place) = "/org/delete"' -l ${option.slice(2)}`);
    }
    expect(zsh).toContain("'/org') items=('create:create an organisation with its first Owner");
    expect(fish).toContain(`-n 'test (__plumb_place) = "/org"' -a create -d`);
    // Behind an option whose value may be anything come files, and no other words.
    expect(zsh).toContain('    --backup) _files; return;;\n');
    expect(zsh).toContain("    --dates) items=('dmy' 'mdy');;\n");
    expect(fish).toContain(`-l dates -x -a 'dmy mdy' -d`);
    expect(zsh).toContain("'cycle-time'");
    expect(fish).toContain(' cycle-time ');
  });

  test('plumb completion knows three shells', async () => {
    const { code, stderr } = await callPlumb('/nowhere', ['completion', 'csh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});
