/** The default seed of the demo: everybody's demo is the same. */
export const demoSeed = 'plumb';
