/** An explanation as it is printed. */
export interface PrintedExplanation {
  readonly title: string;
  readonly definition: string;
  readonly plan: readonly string[];
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly rows_read: number;
  readonly values: {
    readonly used: number;
    readonly left_out: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly nearest: { readonly before: string | null; readonly after: string | null };
  readonly rows_request: { readonly path: string; readonly body: unknown };
}

export function explanationText({
  title,
  definition,
  plan,
  sql,
  parameters,
  rows_read,
  values,
  nearest,
  rows_request,
}: PrintedExplanation): string {
  return [
    `${title}: ${definition}`,
    '',
    ...plan.map((sentence) => `- ${sentence}`),
    '',
    `Rows read: ${rows_read}`,
    `Values used: ${values.used}`,
    ...values.left_out.map(({ reason, count }) => `Left out: ${count} (${reason})`),
    ...(nearest.before === null ? [] : [`Nearest before: ${nearest.before}`]),
    ...(nearest.after === null ? [] : [`Nearest after: ${nearest.after}`]),
    `The records: POST ${rows_request.path} ${JSON.stringify(rows_request.body)}`,
    '',
    sql,
    ...parameters.map((parameter, i) => `  $${i + 1} = ${JSON.stringify(parameter)}`),
  ].join('\n');
}
