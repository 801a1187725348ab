import compilerFrom from '@fastify/ajv-compiler';

// One for the process: every instance would check the same meta-schemas again.
const buildCompiler = compilerFrom();

/**
 * Compiles a route's schema when the first request needs it. Compiling all of them takes half of the time in which an
 * instance is put together, and most commands and tests ask for a few.
 */
export function compileWhenNeeded(...given: Parameters<typeof buildCompiler>): ReturnType<typeof buildCompiler> {
  return (schema) => {
    let validate: ReturnType<ReturnType<typeof buildCompiler>> | undefined;
    return ((value: unknown) => {
      validate ??= buildCompiler(...given)(schema);
      return validate(value) || { error: validate.errors };
    }) as ReturnType<ReturnType<typeof buildCompiler>>;
  };
}
