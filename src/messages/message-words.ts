/** Texts around what a message says. */
export const messageWords = {
  more: (count: number) => `and ${count} more`,
  open: 'Open',
  stop: 'Stop sending',
  stopAt: (address: string) => `Stop sending: ${address}`,
  sentBy: (organisation: string) => `Sent by Plumb for ${organisation}.`,
  bars: (count: number) => `The last ${count} periods, the newest last`,
} as const;
