import { isoText } from '../../calendar.ts';

export const minute = 60;
export const hour = 3_600;

export const isoTextOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoText(seconds));
