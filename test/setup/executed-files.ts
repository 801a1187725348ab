import { Session } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Path of a file in this repository → the names of its functions that were called. */
export type ExecutedFiles = ReadonlyMap<string, readonly string[]>;

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** The files of `src/` with a named function that is called while something runs in this process, as V8 counts it. */
export async function executedFiles(run: () => Promise<unknown>): Promise<ExecutedFiles> {
  const session = new Session();
  session.connect();
  const post = <T>(method: string, options: object = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      session.post(method, options, (error, result) => (error ? reject(error) : resolve(result as T)));
    });
  try {
    await post('Profiler.enable');
    await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await run();
    const { result } = await post<{ result: readonly ScriptCoverage[] }>('Profiler.takePreciseCoverage');
    return new Map(
      result
        .map((script) => [pathOf(script.url), calledFunctions(script)] as const)
        .filter(([path, names]) => path.startsWith('src/') && names.length > 0)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  } finally {
    await post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

const pathOf = (url: string): string =>
  relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)
    .split(sep)
    .join('/');

const calledFunctions = ({ functions }: ScriptCoverage): string[] =>
  functions
    .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName);
