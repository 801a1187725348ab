import compilerFrom from '@fastify/ajv-compiler';
import type { FastifySchemaValidationError, SchemaErrorDataVar } from 'fastify/types/schema.js';
import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';

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

/** Matches a text that has more in it than space. */
export const notBlank = '\\S';

interface Violation extends FastifySchemaValidationError {
  /** Ajv adds both when it is told to be verbose. */
  readonly data?: unknown;
  readonly parentSchema?: { readonly properties?: object; readonly items?: { readonly type?: string } };
}

const cut = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

/** The refusal of query parameters where none are allowed. */
const noQueryParameters = (name: string): string =>
  `This operation takes no query parameters, but '${cut(name)}' was sent.`;

/** Says in a sentence which field breaks its schema, how, and what would be right. */
export function refusalOf(violations: readonly FastifySchemaValidationError[], where: SchemaErrorDataVar): Refusal {
  const [violation] = violations;
  return new Refusal('bad-input', violation ? sentence(violation, where) : 'The request is not valid.');
}

function sentence(violation: Violation, where: SchemaErrorDataVar): string {
  const { keyword, params, data, parentSchema, message } = violation;
  const field = fieldOf(violation.instancePath);
  switch (keyword) {
    case 'additionalProperties': {
      const stranger = String(params.additionalProperty);
      const shown = cut(stranger);
      const known = Object.keys(parentSchema?.properties ?? {});
      if (where === 'querystring' && known.length === 0) return noQueryParameters(stranger);
      const place = where === 'querystring' ? 'a query parameter' : `a field of ${field ?? 'the body'}`;
      return `'${shown}' is not ${place}.${didYouMean(shown, known)} Known: ${known.join(', ')}.`;
    }
    case 'required':
      return `${field ?? 'The body'} must have '${params.missingProperty}'.`;
    case 'type': {
      const wanted = [params.type].flat().filter((type) => type !== 'null');
      const items = parentSchema?.items?.type;
      const names = wanted.map((type) =>
        type === 'array' && items !== undefined ? `an array of ${items}s` : nameOf(String(type)),
      );
      const subject = field ?? 'The body';
      const right = field === undefined && wanted.includes('object') ? 'a JSON object' : names.join(' or ');
      // An absent body reaches the check as null.
      const wrong = field === undefined && data == null ? 'and it is empty or null' : `not ${described(data)}`;
      return `${subject} must be ${right}, ${wrong}.`;
    }
    case 'pattern':
      return params.pattern === notBlank
        ? `${field ?? 'A text'} must not be blank.`
        : `${field} must match ${params.pattern}.`;
    case 'maxLength':
      return `${field} is too long: at most ${params.limit} characters are accepted.`;
    case 'maxItems':
      return `${field} has too many entries: at most ${params.limit} are accepted.`;
    default:
      return `${field ?? 'The body'} ${message ?? 'is not valid'}.`;
  }
}

/** `/email_addresses/2` as `email_addresses[2]`. */
function fieldOf(pointer: string): string | undefined {
  const parts = pointer.split('/').slice(1);
  const [first, ...rest] = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (first === undefined) return undefined;
  return rest.reduce((field, part) => (/^\d+$/.test(part) ? `${field}[${part}]` : `${field}.${part}`), first);
}

function described(value: unknown): string {
  if (value === null) return 'null';
  return nameOf(Array.isArray(value) ? 'array' : typeof value);
}

const nameOf = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
