export const minute = 60;
export const hour = 3_600;

/** A moment in whole seconds since 1970, as ISO 8601 in UTC. */
export const isoText = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;

export const isoTextOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoText(seconds));
