import type { Groups } from './people-answers.ts';
import { useJson } from './use-answer.ts';

export const useGroups = () => useJson<Groups>('/app/groups');
