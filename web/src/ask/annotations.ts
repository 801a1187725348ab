/** Something that happened, as people write it, teams by name. */
export interface AnnotationDocument {
  readonly annotation?: string;
  /** The day, or the first of several. */
  readonly at: string;
  readonly until?: string | null;
  readonly title: string;
  readonly kind: AnnotationKind;
  readonly filters?: Readonly<Record<string, unknown>>;
}

export const annotationKinds = ['release', 'incident', 'reorganisation', 'rollout', 'other'] as const;
export type AnnotationKind = (typeof annotationKinds)[number];
