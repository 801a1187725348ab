import type { ChartDescription, HeatMapChart } from '../../../src/charts/chart-description.ts';
import { type ChartTheme, colourInTheme } from '../../../src/charts/chart-theme.ts';
import { scaleWords, seriesToName } from './chart-words.ts';

/** The title of a chart that is taken elsewhere, where no page shows it. */
export interface PictureHead {
  readonly title: string;
  /** Whose figures the chart shows, for which days and filters, and its subtitle. */
  readonly subtitle: string;
}

const margin = 16;
const [titleLine, smallLine] = [22, 18];
const [swatch, gap] = [10, 6];

/** A chart as a picture on its own: its title, the names of its series, and the drawing. */
export function pictureOf(
  chart: ChartDescription,
  drawn: HTMLCanvasElement,
  theme: ChartTheme,
  { head, scale }: { readonly head: PictureHead; readonly scale: number },
): string {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures.');
  const width = drawn.width / scale + 2 * margin;
  const fonts = { title: `600 16px ${theme.font}`, small: `12px ${theme.font}` };
  const room = width - 2 * margin;
  pen.font = fonts.title;
  const wrapped = (text: string): string[][] =>
    inLines(text.split(' '), room, (words) => pen.measureText(words.join(' ')).width);
  const titles = wrapped(head.title);
  pen.font = fonts.small;
  const subtitles = wrapped(head.subtitle);
  const widthOf = (name: string): number => swatch + gap + pen.measureText(name).width + margin;
  const names = inLines(namesOf(chart, theme), room, (some) => some.reduce((sum, { name }) => sum + widthOf(name), 0));
  const top = margin + titles.length * titleLine + (subtitles.length + names.length) * smallLine + 4;

  // Setting the size of a canvas resets everything that was set before.
  [canvas.width, canvas.height] = [width * scale, top * scale + drawn.height + margin * scale];
  pen.scale(scale, scale);
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = 'middle';
  let y = margin + titleLine / 2;
  const write = (text: string, font: string, colour: string, x = margin) => {
    [pen.font, pen.fillStyle] = [font, colour];
    pen.fillText(text, x, y);
  };
  for (const words of titles) {
    write(words.join(' '), fonts.title, theme.text);
    y += titleLine;
  }
  for (const words of subtitles) {
    write(words.join(' '), fonts.small, theme.secondary);
    y += smallLine;
  }
  for (const line of names) {
    let x = margin;
    for (const { name, colour } of line) {
      pen.fillStyle = colour;
      pen.fillRect(x, y - swatch / 2, swatch, swatch);
      write(name, fonts.small, theme.text, x + swatch + gap);
      x += widthOf(name);
    }
    y += smallLine;
  }
  pen.drawImage(drawn, margin, top, drawn.width / scale, drawn.height / scale);
  return canvas.toDataURL('image/png');
}

interface NamedColour {
  readonly name: string;
  readonly colour: string;
}

function namesOf(chart: ChartDescription, theme: ChartTheme): NamedColour[] {
  if (chart.kind === 'heat-map') return scaleNames(chart, theme);
  if (chart.kind === 'scatter') return [];
  const { series } = chart;
  const drawn = seriesToName(chart).map((at) => ({
    name: series[at]?.role === 'before' ? `${series[at].name} (dotted)` : (series[at]?.name ?? ''),
    colour: colourInTheme(theme, series, at),
  }));
  return chart.kind === 'band' ? [...drawn, { name: chart.band.name, colour: theme.others }] : drawn;
}

/** The colours of a heat map, the first and the last with what they stand for. */
function scaleNames(chart: HeatMapChart, { sequential }: ChartTheme): NamedColour[] {
  const words = scaleWords(chart);
  if (!words) return [];
  return sequential.map((colour, at) => ({
    name: at === 0 ? words.low : at === sequential.length - 1 ? words.high : '',
    colour,
  }));
}

/** As many names in a line as fit, and at least one. */
function inLines<T>(all: readonly T[], room: number, widthOf: (some: readonly T[]) => number): T[][] {
  const lines: T[][] = [];
  for (const one of all) {
    const line = lines.at(-1);
    if (line && widthOf([...line, one]) <= room) line.push(one);
    else lines.push([one]);
  }
  return lines;
}
