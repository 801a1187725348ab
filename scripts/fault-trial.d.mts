import type { Fault } from '../test/faults/faults.mjs';

export declare function problemOf(fault: Fault, root: string): string | undefined;
