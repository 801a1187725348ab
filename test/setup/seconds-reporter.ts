import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { recordTestSeconds } from '../../scripts/test-seconds.mjs';
import { isLong } from './how-long.ts';

/** Records how long each test file took, by which `npm run test:quick` and `npm run test:faults` choose. */
export default class SecondsReporter implements Reporter {
  #vitest: Vitest | undefined;
  /** A file of which only some tests ran says nothing about the whole. */
  #inPart = new Set<string>();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const inPart = specifications.filter(({ testLines = [] }) => testLines.length > 0);
    this.#inPart = new Set(inPart.map(({ moduleId }) => moduleId));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest === undefined || isLong || this.#vitest.config.testNamePattern !== undefined) return;
    const whole = modules.filter((module) => module.state() === 'passed' && !this.#inPart.has(module.moduleId));
    const seconds = whole.map((module) => [
      module.relativeModuleId,
      Math.round(module.diagnostic().duration / 100) / 10,
    ]);
    recordTestSeconds(this.#vitest.config.root, Object.fromEntries(seconds));
  }
}
