import type { SeededRandom } from '../seeded-random.ts';
import { releaseUrl } from './addresses.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import { type CodeBase, hostOn, isDueOn } from './code-bases.ts';
import { hour } from './delays.ts';
import type { IncidentWriter } from './incidents.ts';
import type { Merge } from './merges.ts';
import type { World } from './world.ts';

const titlesMost = 12;
const daySeconds = 86_400;
const incidentShare = 0.04;

/** What is to be in the next release. */
interface Series {
  readonly codeBase: CodeBase;
  major: number;
  minor: number;
  patch: number;
  merged: number;
  /** Prereleases since the last release. */
  candidates: number;
  hasFeature: boolean;
  titles: string[];
  urgentAt: number | null;
}

/** Publishes what was merged, every week or two, where releases are what goes to production. */
export class Releases {
  readonly #world: World;
  readonly #incidents: IncidentWriter;
  readonly #random: SeededRandom;
  readonly #series = new Map<CodeBase, Series>();

  constructor(world: World, incidents: IncidentWriter, random: SeededRandom) {
    this.#world = world;
    this.#incidents = incidents;
    this.#random = random;
    for (const codeBase of world.workforce.codeBases) {
      if (codeBase.delivery !== 'release') continue;
      const [major, minor] = [random.integer(0, 4), random.integer(0, 20)];
      const fresh = { patch: 0, merged: 0, candidates: 0, hasFeature: false, titles: [], urgentAt: null };
      this.#series.set(codeBase, { codeBase, major, minor, ...fresh });
    }
  }

  take({ codeBase, number, title, occasion, at }: Merge): void {
    const series = this.#series.get(codeBase);
    if (!series) return;
    series.merged += 1;
    if (occasion === 'ordinary' || occasion === 'promotion') series.hasFeature = true;
    if (series.titles.length < titlesMost) series.titles.push(`- ${title} (#${number})`);
    // A repair does not wait for the next release: it is one.
    if (occasion === 'hotfix' || occasion === 'revert') series.urgentAt = at + this.#random.integer(10, 70) * 60;
  }

  write(day: number): void {
    const { calendar } = this.#world;
    for (const series of this.#series.values()) {
      const { codeBase, urgentAt, merged } = series;
      if (urgentAt !== null) {
        series.urgentAt = null;
        this.#publish(series, day, urgentAt, false);
        continue;
      }
      if (merged === 0) continue;
      const noon = calendar.startOf(day) + 10 * hour;
      const at = Math.floor(noon + this.#random.between(0, 5) * hour);
      if (isDueOn(codeBase, day, calendar)) this.#publish(series, day, at, false);
      else if (isDueOn(codeBase, day + 1, calendar) && this.#random.chance(0.25)) this.#publish(series, day, at, true);
    }
  }

  #publish(series: Series, day: number, at: number, isPrerelease: boolean): void {
    const random = this.#random;
    const { weaver, calendar, workforce } = this.#world;
    const { codeBase } = series;
    if (at >= calendar.endAt) return;
    const { major } = series;
    const minor = series.hasFeature ? series.minor + 1 : series.minor;
    const patch = series.hasFeature ? 0 : series.patch + 1;
    const number = `v${major}.${minor}.${patch}`;
    if (isPrerelease) series.candidates += 1;
    const version = isPrerelease ? `${number}-rc.${series.candidates}` : number;
    const host = hostOn(codeBase, day);
    const { login, email } = workforce.pickKeeper(codeBase, day, random).accounts[host];
    // Some are written and never published.
    const isPublished = isPrerelease || !random.chance(0.02);
    const createdAt = at - random.integer(60, daySeconds / 12);
    weaver.add('release_details', {
      release_id: `${host}:${codeBase.repository}/releases/${isPublished ? version : `${version}-${day}`}`,
      version,
      release_name: random.chance(0.6) ? version : `${codeBase.subject} ${number.slice(1)}`,
      notes: series.titles.join('\n'),
      source: host,
      repository: codeBase.repository,
      release_url: releaseUrl(host, codeBase.repository, version),
      created_at: isoText(createdAt),
      release_date: isoTextOrNull(isPublished ? at : null),
      is_prerelease: isPrerelease,
      person_login: login,
      person_email: email,
    });
    if (isPrerelease || !isPublished) return;
    Object.assign(series, { minor, patch, merged: 0, candidates: 0, hasFeature: false, titles: [] });
    if (random.chance(incidentShare)) this.#incidents.write(codeBase, at, null);
  }
}
