import type { PersonRow } from '../store/people.ts';

type Marks = Pick<PersonRow, 'stated_bot' | 'called_bot' | 'is_bot'>;

/**
 * Whether the directory itself says that somebody is a bot, or that they are none; null where it says neither. Rows that
 * were written before this was kept have only what came of it: a bot without a login of bots was said to be one.
 */
export function statedBot({ stated_bot, called_bot, is_bot }: Marks, hasBotLogin: boolean): boolean | null {
  if (stated_bot !== null) return stated_bot;
  return is_bot && !hasBotLogin && called_bot !== true ? true : null;
}

/** What the directory says wins; else a login that only bots have, or what most of the person's records say. */
export const isBot = (stated: boolean | null, hasBotLogin: boolean, calledBot: boolean | null): boolean =>
  stated ?? (hasBotLogin || calledBot === true);
