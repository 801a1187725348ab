import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Colour = readonly [number, number, number];
type Pair = readonly [light: Colour, dark: Colour];

const css = readFileSync(join(import.meta.dirname, '../../web/src/theme/tokens.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = '', light, dark, both]): [string, Pair] => [name, [linear(light ?? both), linear(dark ?? both)]],
  ),
);

/** The light of each channel, from 0 to 1. */
function linear(hex = ''): Colour {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const luminance = ([r, g, b]: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const times = (matrix: readonly Colour[], [r, g, b]: Colour): Colour =>
  matrix.map(([x, y, z]) => x * r + y * g + z * b) as unknown as Colour;

/** What is seen: by most people, and by those who lack one kind of cone altogether (Machado, 2009). */
const sights: Readonly<Record<string, readonly Colour[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function okLab(colour: Colour): Colour {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour.map((light) => Math.min(1, Math.max(0, light))) as unknown as Colour,
  ).map(Math.cbrt) as unknown as Colour;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** The smallest distance at which anybody sees two colours. */
const distance = (one: Colour, other: Colour): number =>
  Math.min(
    ...Object.values(sights).map((sight) => {
      const [a, b] = [okLab(times(sight, one)), okLab(times(sight, other))];
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }),
  );

const themes = { light: 0, dark: 1 } as const;

function token(name: string, theme: keyof typeof themes): Colour {
  const pair = tokens.get(name);
  if (!pair) throw new Error(`There is no --${name}.`);
  return pair[themes[theme]];
}

const numbered = (name: string, from: number, to: number, theme: keyof typeof themes) =>
  Array.from({ length: to - from + 1 }, (_, at) => token(`${name}-${from + at}`, theme));

const smallestDistance = (colours: readonly Colour[]): number =>
  Math.min(...colours.flatMap((one, at) => colours.slice(at + 1).map((other) => distance(one, other))));

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const against = (text: string, ground: string) => contrast(token(text, theme), token(ground, theme));

  test.each(['text', 'secondary', 'tertiary', 'accent', 'good', 'bad', 'warn'])(
    'Text in the colour %s can be read on every ground',
    (text) => {
      for (const ground of ['canvas', 'surface', 'sunken', 'hover']) {
        expect(against(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test('Text can be read on the tinted grounds that it stands on', () => {
    expect(against('accent-text', 'accent')).toBeGreaterThanOrEqual(4.5);
    for (const kind of ['good', 'bad', 'warn', 'accent']) {
      expect(against(kind, `${kind}-soft`), kind).toBeGreaterThanOrEqual(4.5);
      expect(against('text', `${kind}-soft`), kind).toBeGreaterThanOrEqual(4.5);
    }
    for (let at = 0; at < 8; at += 1) expect(against(`avatar-text-${at}`, `avatar-${at}`)).toBeGreaterThanOrEqual(4.5);
  });

  test('Borders of fields and the marks of charts stand out from a card', () => {
    const marks = ['border-strong', 'others', 'good-mark', 'bad-mark', 'warn-mark'];
    for (const mark of [...marks, ...Array.from({ length: 8 }, (_, at) => `series-${at + 1}`)]) {
      expect(against(mark, 'surface'), mark).toBeGreaterThanOrEqual(3);
    }
  });

  test('Nobody takes one series for another', () => {
    const series = numbered('series', 1, 8, theme);
    expect(smallestDistance(series.slice(0, 5))).toBeGreaterThanOrEqual(theme === 'light' ? 0.1395 : 0.1345);
    expect(smallestDistance(series)).toBeGreaterThanOrEqual(theme === 'light' ? 0.1035 : 0.0995);
  });

  test('Neighbours on a scale differ, and its ends most of all', () => {
    const sequential = numbered('sequential', 0, 6, theme);
    for (const [at, colour] of sequential.slice(1).entries()) {
      expect(distance(colour, sequential[at] ?? colour)).toBeGreaterThanOrEqual(0.0865);
    }
    const [better, , , , , , worse] = numbered('diverging', 0, 6, theme);
    expect(better && worse && distance(better, worse)).toBeGreaterThanOrEqual(0.2245);
  });
});
