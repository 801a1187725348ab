import type { PersonRow } from '../store/people.ts';

/**
 * Whether the directory itself says that somebody is a bot, or that they are none; null where it says neither. Rows that
 * were written before this was kept have only what came of it: a bot without a login of bots was said to be one.
 */
export function statedBot({ stated_bot, is_bot }: PersonRow, hasBotLogin: boolean): boolean | null {
  if (stated_bot !== null) return stated_bot;
  return is_bot && !hasBotLogin ? true : null;
}
