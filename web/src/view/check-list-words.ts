import { counted } from './format.ts';

export const checkListWords = {
  toNote: 'To note',
  itCantBeRead: 'Can’t be read',
  signed: (account: string) => `Signed in as ${account}`,
  canSee: (seen: string) => `Can see ${seen}`,
  canRead: (right: string | undefined, right2: string) => `Can read ${right}${right2}`,
  itsClockDiffers: (abs: number) => `Its clock differs by ${counted(abs, 'second', 'seconds')}`,
  setClockServer: 'Set the clock of the server.',
  ready: (notes: number) => `Ready, with ${counted(notes, 'note', 'notes')}`,
  cantBeRead: 'Can’t be read',
  fine: 'Fine',
  failed: 'Failed',
  readyAlone: 'Ready',
} as const;
