import { describe, expect, test } from 'vitest';
import {
  defaultRunnerPrices,
  runCost,
  runDuration,
  runnerPrices,
} from '../../../src/ingest/derive/workflow-run-cost.ts';

describe('the duration of a run', () => {
  const run = { run_started_at: 100, run_updated_at: 160, run_conclusion: 'success' };

  test('The duration of a run runs from its start to its end', () => {
    expect(runDuration(run)).toBe(60);
  });

  test('The duration of a run is missing while it has no conclusion, though it already changed', () => {
    expect(runDuration({ ...run, run_conclusion: null })).toBeNull();
    expect(runDuration({ ...run, run_conclusion: '' })).toBeNull();
  });

  test('The duration of a run is known whatever the conclusion', () => {
    expect(runDuration({ ...run, run_conclusion: 'cancelled' })).toBe(60);
  });

  test('The duration of a run is missing with one end, and never negative', () => {
    expect(runDuration({ ...run, run_started_at: null })).toBeNull();
    expect(runDuration({ ...run, run_updated_at: null })).toBeNull();
    expect(runDuration({ ...run, run_started_at: 200 })).toBe(0);
  });
});

describe('the cost of a run', () => {
  test('The cost of a run is its minutes of each kind of runner times the price', () => {
    expect(runCost('{"ubuntu": 600000, "windows": 60000, "macos": 30000}')).toBeCloseTo(0.08 + 0.016 + 0.04, 12);
  });

  test('The cost of a run counts parts of a minute', () => {
    expect(runCost('{"ubuntu": 1500}')).toBeCloseTo(0.0002, 12);
  });

  test('The cost of a run does not depend on how a source writes the kinds, nor in which order', () => {
    // In floating point, 0.1 + 0.2 + 0.3 depends on where one begins.
    const prices = { ubuntu: 0.2, windows: 0.3, macos: 0.1 };
    const once = runCost('{"macos": 60000, "ubuntu": 60000, "windows": 60000}', prices);
    expect(runCost('{"WINDOWS": 60000, "UBUNTU": 60000, "MACOS": 60000}', prices)).toBe(once);
  });

  test('The cost of a run is nothing when nothing was billable', () => {
    expect(runCost('{}')).toBe(0);
    expect(runCost('{"ubuntu": 0}')).toBe(0);
    expect(runCost('{"gpu": 0}')).toBe(0);
  });

  test('The cost of a run is not known without billable times', () => {
    expect(runCost(null)).toBeNull();
  });

  test('The cost of a run leaves out a kind without a price, and is not known when no kind has one', () => {
    expect(runCost('{"ubuntu": 60000, "gpu": 60000}')).toBe(0.008);
    expect(runCost('{"gpu": 60000}')).toBeNull();
    expect(runCost('{"constructor": 60000}')).toBeNull();
  });

  test('The cost of a run tolerates amounts that are none', () => {
    expect(runCost('{"ubuntu": 60000, "windows": null, "macos": -60000}')).toBe(0.008);
    expect(runCost('[60000]')).toBe(0);
  });
});

describe('the prices of an organisation', () => {
  test('The prices of an organisation are GitHub’s public ones where it set none', () => {
    expect(runnerPrices(null)).toEqual(defaultRunnerPrices);
    expect(defaultRunnerPrices).toEqual({ ubuntu: 0.008, windows: 0.016, macos: 0.08 });
  });

  test('The prices of an organisation are its own for the kinds it names, in any case, free ones included', () => {
    expect(runnerPrices('{"Ubuntu": 0, "self-hosted": 0.002}')).toEqual({
      ubuntu: 0,
      windows: 0.016,
      macos: 0.08,
      'self-hosted': 0.002,
    });
    expect(runCost('{"ubuntu": 60000}', runnerPrices('{"ubuntu": 0}'))).toBe(0);
    expect(runCost('{"self-hosted": 120000}', runnerPrices('{"self-hosted": 0.002}'))).toBe(0.004);
  });
});
