import { decimalText, withUnits } from '../../format/numbers.ts';
import { words } from '../../words/index.ts';
import type { Node } from '../nodes/nodes.ts';
import { times } from '../times.ts';

export type StateOf = {
  readonly _id: string;
  readonly name: string;
  readonly isAlarm?: boolean;
  readonly threshold?: unknown;
};

/** Returns decimals that a format has at most, such as three of `0.###`; null: it names none. */
export function decimalsOf(format: unknown): number | null {
  if (typeof format !== 'string' || /E0/.test(format)) return null;
  const fraction = /\.([0#]*)/.exec(format.replace(/'[^']*'/g, ''));
  if (fraction) return fraction[1]!.length;
  return /[0#]/.test(format) ? 0 : null;
}

/** Writes a number with the decimals of a format: those that are optional are left out where they are zeros. */
export function numberText(value: number, format: unknown): string {
  const most = decimalsOf(format);
  if (most === null) return decimalText(value, null);
  const least = /\.(0*)/.exec(String(format))?.[1]?.length ?? 0;
  const isPercent = String(format).includes('%');
  const shown = isPercent ? value * 100 : value;
  let digits = most;
  while (digits > least && Number(shown.toFixed(digits)) === Number(shown.toFixed(digits - 1))) digits -= 1;
  return `${decimalText(shown, Math.min(digits, 20))}${isPercent ? '%' : ''}`;
}

const statesOf = (node: Node): readonly StateOf[] => (Array.isArray(node.states) ? (node.states as StateOf[]) : []);

/** Returns the state that a node is in. */
export function stateOf(node: Node): StateOf | undefined {
  const { currentStateId } = node as { currentStateId?: string | null };
  return currentStateId ? statesOf(node).find(({ _id }) => _id === currentStateId) : undefined;
}

/** Writes a value of a node as people read it, with its units; undefined: there is none. */
export function valueText(node: Node, value: unknown = node.currentValue): string | undefined {
  if (value === null || value === undefined) return undefined;
  const { units, format, displayType } = node as { units?: string; format?: string; displayType?: string };
  if (typeof value === 'number') {
    if (displayType === 'STATE' && value === node.currentValue) return stateOf(node)?.name ?? numberText(value, format);
    return withUnits(numberText(value, format), units ?? '');
  }
  if (typeof value === 'string' && String(node._class).includes('.point.Time') && Number.isFinite(Date.parse(value)))
    return times().whole(Date.parse(value));
  if (Array.isArray(value)) return value.map((part) => decimalText(Number(part), 5)).join(', ');
  return String(value);
}

export const valueOrNone = (node: Node, value?: unknown): string => valueText(node, value) ?? words.value.ui.noValue;
