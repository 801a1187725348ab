import type { Blueprint } from '../blueprint.ts';
import { harrowAndTide } from './harrow-and-tide.ts';
import { lanternfallStudios } from './lanternfall-studios.ts';
import { northwindPay } from './northwind-pay.ts';
import { openMeridian } from './open-meridian.ts';
import { pebblewise } from './pebblewise.ts';
import { publicRegisters } from './public-registers.ts';

/**
 * Six, because a benchmark needs five other organisations. For the same reason none of them opts out of it: with one
 * gone, the five that stay would have only four others each. The first is the one a newcomer is shown.
 */
export const blueprints: readonly Blueprint[] = [
  northwindPay,
  lanternfallStudios,
  publicRegisters,
  pebblewise,
  harrowAndTide,
  openMeridian,
];
