import { clickhouseIsGiven } from './clickhouse.ts';
import { isLong } from './how-long.ts';

/**
 * Whether ClickHouse runs emulated, as on arm64, where a statement takes a second or two: then fewer cases are asked.
 * PLUMB_TEST_EMULATED=1 chooses these cases on any machine, and PLUMB_TEST_EMULATED=0 all of them; the long run has all.
 */
export const isEmulated =
  !isLong && !clickhouseIsGiven && (process.env.PLUMB_TEST_EMULATED ?? (process.arch === 'arm64' ? '1' : '0')) === '1';
