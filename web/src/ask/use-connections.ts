import { type Connection, type ConnectionKind, sourcesPath } from './sources.ts';
import { useJson } from './use-answer.ts';

export const useConnections = () => useJson<{ readonly sources: readonly Connection[] }>(sourcesPath);
export const useConnectionKinds = () => useJson<{ readonly kinds: readonly ConnectionKind[] }>('/app/source-kinds');
