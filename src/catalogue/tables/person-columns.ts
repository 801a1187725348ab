import { boolean, text } from '../record.ts';
import { completed, derived, hidden } from '../table.ts';

/** How rows with these columns name their person. */
export const personNaming = { email: 'person_email' } as const;

/** The columns by which a row says who its person is, and those that are resolved from them. */
export const personColumns = {
  person_login: text('Login of the person on the source of the record.'),
  person_source: text(
    'Where the login is from, if not from the source of the record: a CI system names people of a code host.',
  ),
  person_email: text('Email address of the person.'),
  person_name: text('Name of the person as the source knows it. Only used to suggest who it may be.'),
  person_is_bot: boolean('Whether the source calls the account a bot.'),
  merged_user_id: completed(
    text(
      'Identifier of the person in the directory. A record may name it as an explicit link. Else email and login decide.',
    ),
  ),
  is_bot: derived(
    boolean(
      'Whether the person is a bot: what the directory says, else a login that ends in [bot], else what most records of the account say.',
    ),
  ),
  actor: hidden(
    derived(text('The person, or else the unknown account, so that both can be distinguished and counted.')),
  ),
} as const;
