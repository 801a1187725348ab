import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The settings with which git finds https://github.com in a folder: there the repository `acme/web` that pages clone, with
 * one merged pull request and one tag.
 */
export function hostedOn(folder: string): Record<string, string> {
  const repository = join(folder, 'acme/web.git');
  if (!existsSync(repository)) makeRepository(repository);
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${folder}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/',
  };
}

function makeRepository(repository: string): void {
  mkdirSync(repository, { recursive: true });
  const author = ['-c', 'user.name=Ada Quill', '-c', 'user.email=ada@acme.example'];
  const git = (...words: string[]) => execFileSync('git', [...author, ...words], { cwd: repository, stdio: 'ignore' });
  git('init', '--initial-branch=main');
  git('commit', '--allow-empty', '--message=Begin');
  git('commit', '--allow-empty', '--message=Read the gate (#7)');
  git('tag', 'v1.0.0');
}
