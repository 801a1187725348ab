export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly items?: DescribedSchema;
  readonly anyOf?: readonly DescribedSchema[];
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean | DescribedSchema;
}

export interface DescribedContent {
  readonly schema?: DescribedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** An operation as the OpenAPI document describes it, with where it is. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: DescribedSchema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedContent>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, DescribedContent>> }>
  >;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<DescribedOperation, 'method' | 'path'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths }: OpenApiDocument): readonly DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

export const operationPath = ({ operationId }: Pick<DescribedOperation, 'operationId'>): string =>
  `/docs/operations/${operationId}`;
