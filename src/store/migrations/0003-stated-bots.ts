/** Whether the directory says that somebody is a bot, or that they are none; null where it says neither. */
export const statedBots: readonly string[] = ['ALTER TABLE people ADD COLUMN stated_bot boolean'];
