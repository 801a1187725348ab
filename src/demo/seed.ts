/** What the demo is drawn from when nobody says otherwise: everybody's demo is the same. */
export const demoSeed = 'plumb';
