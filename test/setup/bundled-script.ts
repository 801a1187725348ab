import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');

/**
 * Makes one file of a script and all that it imports of this project, in a folder that the caller removes. Whoever starts
 * a script many times, to kill it, starts this one: loading seven hundred files through tsx takes four seconds each time.
 */
export async function bundleScript(script: string, folder: string): Promise<string> {
  // Beside package.json and the packages, as dist/ is.
  const place = join(folder, 'bundled');
  mkdirSync(place, { recursive: true });
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(root, name), join(place, name));
  const bundle = await rolldown({
    cwd: root,
    input: script,
    platform: 'node',
    external: (id) => /^[^./]/.test(id),
    tsconfig: join(root, 'tsconfig.json'),
  });
  const { output } = await bundle.write({ dir: join(place, 'dist'), format: 'esm' });
  await bundle.close();
  return join(place, 'dist', output[0].fileName);
}
