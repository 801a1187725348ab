import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Tells the process that started vitest which tests fail, at once, and which files did not come to their tests. */
export default class FaultReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'failed') tell('failed', test.module.relativeModuleId, errors[0], test.fullName);
  }

  onTestModuleEnd(module: TestModule): void {
    const { relativeModuleId: file, children } = module;
    const [error] = [module, ...children.allSuites()].flatMap((group) => group.errors());
    if (error) tell(children.size === 0 ? 'unloaded' : 'broken', file, error);
    tell('ran', file);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const error of unhandledErrors) tell('broken', 'no test', error);
    tell('ended');
  }
}

/** `unloaded`: its own imports or statements fail. `broken`: what its tests need before they begin. */
type Kind = 'failed' | 'unloaded' | 'broken' | 'ran' | 'ended';

function tell(kind: Kind, file?: string, error?: { readonly message: string }, test?: string): void {
  process.send?.({ kind, file, test, reason: error?.message.split('\n')[0] });
}
