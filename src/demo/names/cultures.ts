import type { SeededRandom } from '../seeded-random.ts';
import { arabic, ethiopian, hebrew, kenyan, nigerian, persian } from './africa-and-middle-east.ts';
import { hawaiian, maori, northAmerican, portuguese, spanish } from './americas-and-pacific.ts';
import { chinese, hindi, indian, indonesian, japanese, korean, tamil, vietnamese } from './asia.ts';
import {
  dutch,
  english,
  estonian,
  french,
  german,
  greek,
  hungarian,
  icelandic,
  irish,
  nordic,
  polish,
  russian,
  turkish,
  ukrainian,
} from './europe.ts';
import { joinName, type Name, type NamePool } from './name.ts';

const pools = {
  arabic,
  chinese,
  dutch,
  english,
  estonian,
  ethiopian,
  french,
  german,
  greek,
  hawaiian,
  hebrew,
  hindi,
  hungarian,
  icelandic,
  indian,
  indonesian,
  irish,
  japanese,
  kenyan,
  korean,
  maori,
  nigerian,
  nordic,
  northAmerican,
  persian,
  polish,
  portuguese,
  russian,
  spanish,
  tamil,
  turkish,
  ukrainian,
  vietnamese,
} as const satisfies Readonly<Record<string, readonly NamePool[]>>;

export type Culture = keyof typeof pools;

export interface DrawnName extends Name {
  /** A family name that the person could have had before, in plain letters; absent where there is none. */
  readonly formerFamily?: string;
}

/** Namesakes exist, but in a directory of hundreds they are the exception that a suggestion to merge is made of. */
const drawsMax = 12;

export function drawName(random: SeededRandom, culture: Culture, taken: ReadonlySet<string>): DrawnName {
  let name = drawAnyName(random, culture, false);
  for (let draw = 1; draw < drawsMax && taken.has(name.written); draw += 1) {
    name = drawAnyName(random, culture, draw > drawsMax / 2);
  }
  return name;
}

/**
 * Where given names come first, or single names are the custom, people who share theirs with a colleague add a second
 * one. Elsewhere that is not done, and in the largest organisations some do have the same name.
 */
function drawAnyName(random: SeededRandom, culture: Culture, secondName: boolean): DrawnName {
  const pool: NamePool = random.pick(pools[culture]);
  const first = random.pick(pool.given);
  const second = secondName && pool.order === 'given family' ? random.pick(pool.given) : first;
  if (pool.family.length === 0) return joinName(pool, first, second === first ? undefined : second);
  const given = second === first ? first : { written: `${first.written} ${second.written}`, plain: first.plain };
  const family = random.pick(pool.family);
  const name = joinName(pool, given, family);
  const former = random.pick(pool.family);
  return former === family ? name : { ...name, formerFamily: former.plain };
}
