import { Type } from 'typebox';
import type { SourceHealth } from '../../data-quality/source-health.ts';
import { notSeenReasons } from '../../sources/not-seen.ts';

const textOrNull = (description: string) => Type.Unsafe({ type: ['string', 'null'], description });
const count = (description: string) => Type.Integer({ description });

const sourceError = Type.Unsafe({
  title: 'SourceError',
  required: ['at', 'message', 'to_do'],
  type: ['object', 'null'],
  description: 'What went wrong the last time. Null where nothing did.',
  properties: {
    at: textOrNull('When.'),
    message: Type.String({ description: 'What went wrong.' }),
    to_do: textOrNull('What to do about it.'),
  },
});

const stream = Type.Object(
  {
    stream: Type.String({ description: 'What is read, such as pull requests.' }),
    scope: Type.String({ description: 'Of what, such as acme/web. Empty where it is of the whole source.' }),
    read: count('Things that were read.'),
    estimated: Type.Unsafe({ type: ['integer', 'null'], description: 'Things that there are, as far as is known.' }),
    last_success_at: textOrNull('When it was last read to its end.'),
    last_error: sourceError,
    newest_record_at: textOrNull('Time of the newest record, ISO 8601. Null where there is none.'),
  },
  { title: 'SourceStream' },
);

const notSeen = Type.Object(
  {
    why: Type.Unsafe({
      type: 'string',
      enum: notSeenReasons,
      description:
        'window: settings or a default leave it out. right: the token may not see it. hidden: the provider shows it to no one who asks like this. cut: the provider ends a list before its end. retention: the provider does not keep it any longer.',
    }),
    what: Type.String({ description: 'What is missing.' }),
    since: textOrNull('History begins at this moment, ISO 8601.'),
    to_do: textOrNull('What to do about it, where there is something.'),
    stream: Type.String({ description: 'What is read, such as pull requests.' }),
    scopes: Type.Array(Type.String(), {
      description: 'Of what, such as acme/web. Empty where it is of the whole source.',
    }),
  },
  { title: 'NotSeenBySource' },
);

/** How the reading of a source went the last time. */
export const sourceHealthSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the source.' }),
    kind: Type.String({ description: 'Kind of source.' }),
    name: Type.String({ description: 'Name of the source.' }),
    last_sync_at: textOrNull('When it was last synced.'),
    outcome: textOrNull('How that ended: complete, partial or failed.'),
    last_error: sourceError,
    no_longer_listed: Type.Array(Type.String(), {
      description:
        'Repositories and the like that it has read and the last sync did not find any more: deleted, archived, transferred, left out by its settings, or not for its token to see. Their rows stay. Each is listed for 30 days.',
    }),
    not_seen: Type.Array(notSeen, { description: 'What it could not see, however often it is read.' }),
    streams: Type.Array(stream, { description: 'Its streams.' }),
  },
  { title: 'SourceHealth' },
);

export const sourceHealthExample: SourceHealth = {
  id: '7c1f0a52-8f0e-4f5e-9d0b-6f6f1f0c2a11',
  kind: 'github',
  name: 'Code',
  last_sync_at: '2027-01-31T12:00:00.000Z',
  outcome: 'partial',
  last_error: null,
  no_longer_listed: ['acme/attic'],
  not_seen: [
    {
      why: 'window',
      what: 'The setting since leaves out what is older',
      since: '2024-02-01T00:00:00Z',
      to_do: null,
      stream: 'pull requests',
      scopes: ['acme/web', 'acme/api'],
    },
  ],
  streams: [
    {
      stream: 'pull requests',
      scope: 'acme/web',
      read: 1_204,
      estimated: 1_204,
      last_success_at: '2027-01-31T11:00:00.000Z',
      last_error: {
        at: '2027-01-31T12:00:00.000Z',
        message: 'api.github.com does not let this token see acme/web',
        to_do: 'Give the token access to the repository.',
      },
      newest_record_at: '2027-01-31T10:40:00.000Z',
    },
  ],
};
