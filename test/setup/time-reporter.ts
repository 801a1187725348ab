import type { Reporter, TestModule } from 'vitest/node';

const filesShown = 10;

/** Says at the end of a run where its time went. A test fails nobody for being slow: docs/testing.md has the budget. */
export default class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }));
    const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, filesShown);
    const folders = [...secondsByFolder(files)].sort(([, a], [, b]) => b - a);
    const [first] = folders;
    if (first === undefined) return;
    console.log(`The ${slowest.length} slowest test files, in seconds:`);
    for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(0).padStart(5)}  ${name}`);
    console.log(`The slowest folder is ${first[0]}. Seconds by folder, added up over all workers:`);
    console.log(`  ${folders.map(([folder, seconds]) => `${folder} ${seconds.toFixed(0)}`).join(' · ')}`);
  }
}

/** Wall seconds of one file: loading its modules, its hooks and its tests. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1_000;
}

function secondsByFolder(files: readonly { readonly name: string; readonly seconds: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { name, seconds } of files) {
    const [, folder = ''] = name.split('/');
    const key = folder.endsWith('.ts') ? 'test' : folder;
    sums.set(key, (sums.get(key) ?? 0) + seconds);
  }
  return sums;
}
