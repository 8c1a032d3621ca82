import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from '../api.ts';
import { patternOf } from '../open-api.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json }>;
type Response = { $ref?: string; content?: Content };
type Operation = { parameters?: { in: string; name: string }[]; responses: Record<string, Response> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response>; schemas: Record<string, Json> };
};

const PREFIX = '/api/v1';
const DOCUMENT = 'openapi';

/**
 * Holds answers to the schemas of the OpenAPI document. It is stricter than a client may be: an attribute that a schema
 * does not know is wrong, so that none is shown that the document does not list.
 */
export class AnswerSchemas {
  /** This many answers with a body of JSON were looked at. */
  checked = 0;
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, discriminator: true, allErrors: false });
  readonly #patterns: readonly { readonly path: string; readonly pattern: RegExp }[];
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ components: { schemas: closed(document.components.schemas) } }, DOCUMENT);
    this.#patterns = Object.keys(document.paths)
      .toSorted((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({ path, pattern: patternOf(path) }));
  }

  static async of(url: string): Promise<AnswerSchemas> {
    const response = await fetch(`${url}${PREFIX}/openapi.json`);
    return new AnswerSchemas((await response.json()) as Document);
  }

  /** Returns what does not fit the document, undefined = nothing. @param target below /api/v1, with its query */
  wrongIn(method: string, target: string, { status, headers, text }: Answer): string | undefined {
    const [path = '', query = ''] = target.split('?', 2);
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const operation = this.#operationOf(method, path);
    // A path or a method that does not exist has no other answers than failures.
    const answer = operation ? operation.responses[status] : status < 400 ? undefined : { $ref: `Failure${status}` };
    if (!answer) return method === 'HEAD' || method === 'OPTIONS' ? undefined : `the document has no answer ${status}`;
    const { content } = this.#resolved(answer);
    if (method === 'HEAD' || (text === '' && !content)) return undefined;
    const schema = (content?.[type] ?? content?.['*/*'])?.schema;
    if (!schema) return `the document has no answer ${status} of type ${type}`;
    if (type !== 'application/json') return undefined;
    this.checked += 1;
    const matches = this.#compile(schema, new URLSearchParams(query).has('attr'));
    return matches(JSON.parse(text)) ? undefined : `does not fit: ${this.#ajv.errorsText(matches.errors)}`;
  }

  #operationOf(method: string, target: string): Operation | undefined {
    const path = PREFIX + target.replace(/(.)\/$/, '$1');
    const found = this.#patterns.find(({ pattern }) => pattern.test(path));
    return found && this.#document.paths[found.path]?.[method.toLowerCase()];
  }

  #resolved(response: Response): Response {
    const name = response.$ref?.split('/').at(-1);
    return name === undefined ? response : (this.#document.components.responses[name] ?? {});
  }

  #compile(schema: Json, hasAttr: boolean): ValidateFunction {
    const text = JSON.stringify(closed(schema), (_name, value) => wholeOrPart(value, hasAttr));
    return this.#compiled.getOrInsertComputed(text, () =>
      this.#ajv.compile(JSON.parse(text.replaceAll('"#/', `"${DOCUMENT}#/`))),
    );
  }
}

/** Takes the whole or, with `attr`, parts of it: which, the request says. */
function wholeOrPart(value: Json, hasAttr: boolean): unknown {
  const [whole, part, ...more] = (value?.anyOf ?? []) as { $ref?: string }[];
  return part?.$ref !== undefined && part.$ref === `${whole?.$ref}Part` && more.length === 0
    ? hasAttr
      ? part
      : whole
    : value;
}

/** Makes a copy in which objects have the listed properties, and no others. */
function closed<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (name, value) => {
    // ajv finds the schemas of a discriminator by itself.
    if (name === 'discriminator') return { propertyName: value.propertyName };
    const isObject = value?.type === 'object' || (value?.type?.includes?.('object') && Array.isArray(value.type));
    const isSchema = isObject && !value.oneOf && !value.anyOf && !value.allOf;
    return isSchema && value.additionalProperties === undefined ? { ...value, additionalProperties: false } : value;
  });
}
