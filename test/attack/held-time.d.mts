export function heldTime(): () => number;
