import { expect, test, vi } from 'vitest';
import { readReceivers, shownAddress } from '../../src/messages/receivers.ts';

const addressesOf = async (host: string): Promise<readonly string[]> =>
  ({ 'inside.acme.example': ['10.0.0.7'], 'metadata.acme.example': ['169.254.169.254'] })[host] ?? ['93.184.216.34'];
const policy = { privateHosts: [], addressesOf };
const slack = 'https://hooks.slack.example/services/T1/B1/secretx4Zq';
const hook = 'https://ci.acme.example/plumb?token=abcd1234';

test('An address that is kept stays the same receiver, given whole or as it is shown', async () => {
  const first = await readReceivers([{ slack }, { webhook: hook }, { email: ' Ada@Acme.example ' }], [], policy);
  expect(first.receivers.map(shownAddress)).toEqual([
    'hooks.slack.example/…x4Zq',
    'ci.acme.example/…1234',
    'ada@acme.example',
  ]);
  expect(first.receivers[2]?.key).toBe('email:ada@acme.example');
  const [made] = first.madeSecrets;
  expect(first.madeSecrets).toHaveLength(1);
  expect(made).toEqual({ webhook: 'ci.acme.example/…1234', secret: first.receivers[1]?.signingSecret });
  expect(made?.secret.length).toBeGreaterThanOrEqual(43);
  const shown = [{ webhook: 'ci.acme.example/…1234' }, { slack }];
  const again = await readReceivers(shown, first.receivers, policy);
  expect(again.receivers).toEqual([first.receivers[1], first.receivers[0]]);
  expect(again.madeSecrets).toEqual([]);
  const moved = await readReceivers([{ webhook: `${hook}x` }], first.receivers, policy);
  expect(moved.receivers[0]?.key).not.toBe(first.receivers[1]?.key);
  expect(moved.receivers[0]?.signingSecret).not.toBe(first.receivers[1]?.signingSecret);
  expect(first.receivers.map(({ key }) => key).join()).not.toMatch(/x4Zq|1234/);
});

test('A shown address that could be several, or none that is kept, is refused', async () => {
  const alike = await readReceivers([{ slack }, { slack: slack.replace('T1', 'T2') }], [], policy);
  const shown = [{ slack: 'hooks.slack.example/…x4Zq' }];
  await expect(readReceivers(shown, alike.receivers, policy)).rejects.toThrow(/could be any of 2 addresses/);
  await expect(readReceivers(shown, [], policy)).rejects.toThrow(/none that is kept/);
});

test.each([
  [undefined, /must be a list of 1 to 50/],
  [[], /must be a list of 1 to 50/],
  [Array.from({ length: 51 }, (_, n) => ({ email: `a${n}@x.org` })), /must be a list of 1 to 50/],
  [['ada@acme.example'], /to\[0\] must have exactly one of slack, teams, email, webhook/],
  [[{ slack, email: 'a@x.org' }], /to\[0\] must have exactly one of/],
  [[{ slak: slack }], /Did you mean 'slack'/],
  [[{ email: 'Ada <ada@acme.example>' }], /to\[0\]\.email must be an email address/],
  [[{ email: 'ada@acme.example\r\nBcc: b@x.org' }], /to\[0\]\.email must be an email address/],
  [[{ email: 'a@x.org,b@x.org' }], /to\[0\]\.email must be an email address/],
  [[{ email: 'a@x.org' }, { email: 'A@x.org' }], /to\[1\] is the same receiver as another one/],
  [[{ slack: 'http://hooks.slack.example/x' }], /must be an incoming webhook of Slack/],
  [[{ slack: 'https://user:password@hooks.slack.example/x' }], /without a user, a password/],
  [[{ webhook: 'env:PLUMB_SMTP_URL' }], /env: and file: are for sources/],
  [[{ webhook: 'file:///etc/passwd' }], /must be an https address/],
  [[{ webhook: 'https://127.0.0.1/x' }], /must not lead into a private network, as 127\.0\.0\.1 does/],
  [[{ webhook: 'https://[::1]/x' }], /must not lead into a private network/],
  [[{ teams: 'https://inside.acme.example/x' }], /PLUMB_SOURCE_HOSTS/],
  [[{ webhook: 'https://metadata.acme.example/x' }], /must not lead to a link-local address/],
])('%j is refused in words', async (written, message) => {
  const refusal = await readReceivers(written, [], policy).catch((error: Error) => error);
  expect(refusal).toMatchObject({ reason: 'bad-input', message: expect.stringMatching(message) });
});

test('A private host is for the operator to name; a machine’s own link is nobody’s', async () => {
  const named = { privateHosts: ['inside.acme.example', 'metadata.acme.example'], addressesOf };
  const written = [{ webhook: 'http://inside.acme.example/x' }];
  expect((await readReceivers(written, [], named)).receivers).toMatchObject([{ address: written[0]?.webhook }]);
  const metadata = [{ webhook: 'https://metadata.acme.example/x' }];
  await expect(readReceivers(metadata, [], named)).rejects.toThrow(/link-local/);
});

test('Names are looked up all at once, and one that nobody answers for holds up a change for two seconds', async () => {
  vi.useFakeTimers();
  try {
    const asked: string[] = [];
    const silent = { ...policy, addressesOf: (host: string) => new Promise<never>(() => void asked.push(host)) };
    const read = readReceivers([{ slack }, { webhook: hook }], [], silent);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toEqual(['hooks.slack.example', 'ci.acme.example']);
    expect((await read).receivers).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
