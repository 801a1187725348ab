import { dayNumber } from '../../calendar.ts';

/**
 * The history of an organisation is written in chapters of thirteen weeks. Each is a function of the seed and of its
 * number alone, so that the newest one can be written without those before it.
 */
export const chapterDays = 91;
const chaptersPerYear = 4;
const firstMonday = dayNumber('2021-12-27');

export const chapterOf = (day: number): number => Math.floor((day - firstMonday) / chapterDays);
export const firstDayOf = (chapter: number): number => firstMonday + chapter * chapterDays;
/** Years of 52 weeks, in which the larger stories happen. */
export const yearOf = (chapter: number): number => Math.floor(chapter / chaptersPerYear);
export const firstDayOfYear = (year: number): number => firstDayOf(year * chaptersPerYear);
/** A chapter as people call it: Q1 2026. */
export const quarterOf = (chapter: number): string =>
  `Q${chapter - yearOf(chapter) * chaptersPerYear + 1} ${2022 + yearOf(chapter)}`;

const growth = { from: dayNumber('2024-01-01'), to: dayNumber('2026-01-01') } as const;

/** How far the organisations have grown to their present size, from 0 to 1. */
export const grownBy = (day: number): number =>
  Math.min(1, Math.max(0, (day - growth.from) / (growth.to - growth.from)));
