import { CustomChart, ScatterChart } from 'echarts/charts';
import { use } from 'echarts/core';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';

// Most pages have lines and bars only: what draws anything else is loaded with the first chart of its kind.
use([CustomChart, ScatterChart]);

export type OtherKind = Extract<ChartDescription['kind'], 'heat-map' | 'scatter'>;
