import { SourceProblem } from './source.ts';

type Headers = Readonly<Record<string, string>>;

/** A file with two lines, or with a word processor's quotes, is no token. Its characters are not repeated. */
export function sendable(headers: Headers): Headers {
  if (Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value))) return headers;
  throw new SourceProblem(
    'The token holds characters that no token has, such as a line break',
    'Set it again, or see that the file or variable that it is read from holds the token alone.',
  );
}

/** Basic authorization of HTTP. Base64 hides characters that no token has, so that they are looked for before. */
export function basicAuthorization(user: string, password: string): Headers {
  sendable({ user, password });
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
