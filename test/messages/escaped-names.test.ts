import { expect, test } from 'vitest';
import type { MessageContent } from '../../src/messages/message-content.ts';
import type { Rendering } from '../../src/messages/render/rendering.ts';
import { slackBody } from '../../src/messages/render/slack-blocks.ts';
import { teamsBody } from '../../src/messages/render/teams-card.ts';
import { webhookBody } from '../../src/messages/render/webhook-body.ts';
import { sampleDigest } from './sample-digest.ts';

const hostileNames = [
  '<!channel> and <@U012AB3CD>',
  '<https://evil.example|Open Plumb>',
  'https://evil.example/a and www.evil.example',
  '[Open Plumb](https://evil.example)',
  '@here & @everyone',
  '<at>Ada</at>',
  'two\nlines\r\n# heading',
  'turned \u202egnp.exe and hid\u200bden',
  '&lt;!channel&gt;',
  '|pipe> <',
];

const saying = (name: string): MessageContent => {
  const line = { text: name, detail: name, state: { text: name, tone: 'bad' }, link: '/goal' } as const;
  return {
    ...sampleDigest,
    title: name,
    organisation: name,
    period: name,
    intro: [name],
    figures: [{ label: name, value: name, change: { text: name, tone: 'good' }, link: '/delivery' }],
    sections: [
      { title: name, lines: [line, { ...line, link: 'https://evil.example/' }, { ...line, link: '//evil.example' }] },
    ],
    button: { text: name, link: '/' },
    notes: [name],
  };
};

const rendering = (content: MessageContent): Rendering => ({
  deliveryId: 'd1',
  origin: { kind: 'alert', slug: 'lead-time' },
  content,
  publicUrl: 'https://plumb.acme.example',
  queuedAt: new Date('2026-11-16T08:00:00Z'),
});

/** Every text of a value, with the property that it stands in. */
function textsOf(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => textsOf(one, Array.isArray(value) ? name : key));
}

const unseen = /[\u202a-\u202e\u2066-\u2069]|(?!\n)\p{Cc}/u;

test.each(hostileNames)('In Slack, %j mentions no one and leads nowhere', (name) => {
  const { blocks, text, ...rest } = JSON.parse(slackBody(rendering(saying(name))));
  expect(rest).toEqual({ mrkdwn: false, parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false });
  for (const [key, said] of [...textsOf(blocks), ['text', text] as [string, string]].filter(
    ([key]) => key === 'text',
  )) {
    // What stands in angle brackets is a link or a mention: those of ours alone are there.
    for (const [, inside = ''] of said.matchAll(/<([^>]*)>?/g)) {
      expect(inside, key).toMatch(/^https:\/\/plumb\.acme\.example\/[^|]*\|[^|<>]*$/);
    }
    const outside = said.replaceAll(/<https:\/\/plumb\.acme\.example[^|>]*\|/g, '');
    expect(outside).not.toMatch(/:\/\/|www\.e|@[a-z]/i);
    expect(said).not.toMatch(unseen);
  }
  const marked = JSON.stringify(blocks).match(/"type":"mrkdwn"/g) ?? [];
  expect(JSON.stringify(blocks).match(/"verbatim":true/g)).toHaveLength(marked.length);
});

test.each(hostileNames)('In Teams, %j mentions no one and leads nowhere', (name) => {
  const body = JSON.parse(teamsBody(rendering(saying(name))));
  const [{ content: card }] = body.attachments;
  const types = new Set(textsOf(card).flatMap(([key, text]) => (key === 'type' ? [text] : [])));
  // A text block would read markdown.
  expect(types).not.toContain('TextBlock');
  expect(card.msteams).toEqual({ width: 'Full' });
  for (const [key, text] of textsOf(card)) {
    if (key === 'url') expect(new URL(text).origin).toBe('https://plumb.acme.example');
    if (key !== 'text' && key !== 'title') continue;
    expect(text).not.toMatch(/:\/\/|www\.e|@[a-z]/i);
    expect(text).not.toMatch(unseen);
    expect(text).not.toContain('\n');
  }
});

test('A webhook gets names as they are, and links to Plumb alone', () => {
  const [name = ''] = hostileNames;
  const body = JSON.parse(webhookBody(rendering(saying(name))));
  expect(body).toMatchObject({ alert: 'lead-time', title: name, figures: [{ label: name }] });
  const links = textsOf(body).filter(([key]) => key === 'link');
  expect(links.map(([, link]) => new URL(link).origin)).toEqual(links.map(() => 'https://plumb.acme.example'));
});

test('Long messages fit into what Slack and Teams take, and say how much is left out', () => {
  const lines = Array.from({ length: 300 }, (_, n) => ({
    text: `acme/web#${n}: ${'a long title '.repeat(20)}`,
    detail: 'waits for 3d 6h',
    link: `/reviews?pull_request=${n}`,
  }));
  const content = { ...sampleDigest, sections: Array.from({ length: 8 }, () => ({ title: 'Waiting', lines })) };
  const slack = JSON.parse(slackBody(rendering(content)));
  expect(slack.blocks.length).toBeLessThanOrEqual(50);
  const said = textsOf(slack.blocks).filter(([key]) => key === 'text');
  expect(Math.max(...said.map(([, text]) => text.length))).toBeLessThanOrEqual(3_000);
  expect(JSON.stringify(slack)).toMatch(/and \d+ more/);
  const teams = teamsBody(rendering(content));
  expect(Buffer.byteLength(teams)).toBeLessThanOrEqual(28_000);
  expect(teams).toMatch(/and \d+ more/);
  const endless = { ...content, intro: Array.from({ length: 100 }, () => 'words '.repeat(100)) };
  expect(Buffer.byteLength(teamsBody(rendering(endless)))).toBeLessThanOrEqual(28_000);
  expect(JSON.parse(slackBody(rendering(endless))).blocks.length).toBeLessThanOrEqual(50);
});

test('Without a public address there are no links', () => {
  const { publicUrl: _, ...without } = rendering(saying('Checkout'));
  for (const body of [slackBody, teamsBody, webhookBody]) {
    expect(body({ ...without, publicUrl: undefined }).replace('adaptivecards.io/schemas', '')).not.toMatch(
      /https:\/\//,
    );
  }
});
