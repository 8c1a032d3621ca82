import type { Node } from '../../../../data/nodes/nodes.ts';
import type { StateOf } from '../../../../data/records/values.ts';
import type { Transform } from '../changes.ts';
import type { NamedValue } from '../tools/typed-fields.tsx';

/** Finds how stored values are shown; undefined where an equation shows them, which cannot be turned round. */
export function transformOf(node: Node): Transform | undefined {
  const {
    multiplier = 1,
    offset = 0,
    equation,
  } = node as { multiplier?: number; offset?: number; equation?: string | null };
  return (equation ?? '') === '' && multiplier !== 0 ? { multiplier, offset } : undefined;
}

/** Returns the values by which states are distinguished, with their names: what is set is chosen among them. */
export function statesOf({ displayType, statesType, states }: Node): readonly NamedValue[] {
  if (displayType !== 'STATE' || statesType === 'RANGE' || !Array.isArray(states)) return [];
  return (states as readonly StateOf[]).flatMap(({ name, threshold }) =>
    typeof threshold === 'number' || typeof threshold === 'string' ? [{ name, value: threshold }] : [],
  );
}

export const unitOf = ({ units }: Node): string => (typeof units === 'string' ? units : '');
