import fc from 'fast-check';
import { seed } from './seed.ts';

// Runs before every test file: properties that name no seed of their own take the one of the run.
fc.configureGlobal({ seed });
