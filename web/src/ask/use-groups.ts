import type { Groups } from './people.ts';
import { useJson } from './use-answer.ts';

export const useGroups = () => useJson<Groups>('/app/groups');
