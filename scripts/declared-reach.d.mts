import type { DeclaredReach } from './import-graph.mjs';

export declare const sourceFolders: readonly string[];
export declare const declaredReach: readonly DeclaredReach[];
export declare const reachNoTest: readonly string[];
