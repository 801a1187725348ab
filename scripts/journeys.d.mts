export interface Journey {
  readonly journey: string;
  readonly file: string;
  /** The name of one test of the file; all of them without. */
  readonly test?: string;
}

export declare const journeys: readonly Journey[];
export declare function placeOfJourney(root: string, journey: Journey): string;
