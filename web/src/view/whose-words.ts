import { whoseWords } from '../../../src/conclusions/visibility-words.ts';
import { useSession } from '../page-session.ts';

type WhoseWords = (typeof whoseWords)['organisation'];

export const useWhoseWords = (): WhoseWords => whoseWords[useSession().visibility_notice.visibility];
