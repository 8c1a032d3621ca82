import { type DomainError, invalid } from '@catchment/errors';
import { textProblem } from '@catchment/ids';

export const invalidAttribute = (name: string, rule: string): DomainError =>
  invalid('INVALID_ATTRIBUTE', `${name}: ${rule}`);

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads attributes of a JSON object by their dotted public names. An absent attribute gives the default, null resets to
 * it, a wrong one throws DomainError invalid_argument; unknown attributes are never looked at (docs/reference/node-tree.md#updates).
 */
export class AttributeReader {
  readonly #object: JsonObject;
  readonly #path: string;

  constructor(object: JsonObject, path = '') {
    this.#object = object;
    this.#path = path;
  }

  text(name: string, fallback: string, rule: { pattern: RegExp; says: string }): string {
    return this.#read(name, fallback, (value) =>
      typeof value === 'string' && rule.pattern.test(value) && !textProblem(value)
        ? value
        : this.#refuse(name, rule.says),
    );
  }

  int(name: string, fallback: number, min: number, max: number): number {
    return this.#read(name, fallback, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : this.#refuse(name, `must be a whole number from ${min} to ${max}`),
    );
  }

  bool(name: string, fallback: boolean): boolean {
    return this.#read(name, fallback, (value) =>
      typeof value === 'boolean' ? value : this.#refuse(name, 'must be true or false'),
    );
  }

  /** One of the choices; texts in any letter case. */
  oneOf<const T extends string | number>(name: string, fallback: T, choices: readonly T[]): T {
    return this.#read(name, fallback, (value) => {
      const wanted = typeof value === 'string' ? value.toLowerCase() : value;
      const found = choices.find((one) => (typeof one === 'string' ? one.toLowerCase() : one) === wanted);
      return found ?? this.#refuse(name, `must be one of ${choices.join(', ')}`);
    });
  }

  /** A reader of a nested object; absent and null read as empty. */
  object(name: string): AttributeReader {
    return new AttributeReader(this.raw(name), this.nameOf(name));
  }

  /** The nested object itself. */
  raw(name: string): JsonObject {
    return this.#read<JsonObject>(name, {}, (value) =>
      isJsonObject(value) ? value : this.#refuse(name, 'must be an object'),
    );
  }

  /** Full dotted name, for error texts. */
  nameOf(name: string): string {
    return this.#path ? `${this.#path}.${name}` : name;
  }

  #read<T>(name: string, fallback: T, parse: (value: unknown) => T): T {
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    // A default given back is one, also where no client could choose it.
    return value === undefined || value === null || value === fallback ? fallback : parse(value);
  }

  #refuse(name: string, rule: string): never {
    throw invalidAttribute(this.nameOf(name), rule);
  }
}
