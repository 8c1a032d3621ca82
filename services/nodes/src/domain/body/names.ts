import { customIdProblem, onOneLine, storedCustomId, textProblem } from '@catchment/ids';
import { invalidAttribute } from './rule.ts';

const MAX_NAME = 120;
/** `readName` takes what has this JSON Schema. */
export const NAME_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_NAME,
  description: 'Unique among its siblings, without / _ ; { } and control characters.',
  examples: ['Air temperature'],
} as const;
const FORBIDDEN = /[/_;{}]/;

/**
 * Returns the key by which names are compared: siblings are unique and trees are ordered by it (docs/reference/node-tree.md#names,
 * docs/reference/query-arguments.md#trees).
 */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** Reads a name given in a body, trimmed. @throws DomainError invalid_argument */
export function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name.length === 0 || name.length > 2 * MAX_NAME || [...name].length > MAX_NAME) {
    throw invalidAttribute('name', `must be a text of 1 to ${MAX_NAME} characters`);
  }
  if (FORBIDDEN.test(name) || textProblem(name))
    throw invalidAttribute('name', 'must not contain / _ ; { } or control characters');
  return name;
}

/**
 * Reads a custom id given in a body; null when it unsets (docs/reference/requests-and-errors.md#node-references).
 * @throws DomainError invalid_argument
 */
export function readCustomId(value: unknown): string | null {
  if (value === null || value === '') return null;
  if (typeof value !== 'string') throw invalidAttribute('customId', 'must be a text');
  const customId = storedCustomId(value);
  const problem = customIdProblem(customId);
  if (problem) throw invalidAttribute('customId', problem);
  return customId;
}

/**
 * Makes a name (docs/reference/node-tree.md#names): valid, and not among those taken.
 * @param taken `nameKey` of the siblings
 */
export function generateName(wanted: string, taken: ReadonlySet<string>): string {
  const valid =
    truncated(
      onOneLine(wanted)
        .replaceAll('_', ' ')
        .replaceAll(/[/;{}]/g, '-')
        .trim(),
      MAX_NAME,
    ).trim() || 'Unnamed';
  if (!taken.has(nameKey(valid))) return valid;
  for (let n = 2; ; n += 1) {
    const suffix = ` (${n})`;
    const candidate = truncated(valid, MAX_NAME - suffix.length).trimEnd() + suffix;
    if (!taken.has(nameKey(candidate))) return candidate;
  }
}

const truncated = (text: string, characters: number): string => [...text].slice(0, characters).join('');
