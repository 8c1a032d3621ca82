import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { hasExpressions, MESSAGE_WORK, parseExpressions } from '@catchment/expressions';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import {
  formatOf,
  nodeObject,
  nodeView,
  type Reader,
  type ShownValue,
  shownAt,
  shownValue,
  type ViewedNode,
  valueText,
} from '../../views/index.ts';
import { NO_STATE } from './transition.ts';

/** A text about a node can show this. */
export type About = {
  readonly node: ViewedNode;
  /** The value that the text is about; null = there is none, or it is not known. */
  readonly value: ShownValue | null;
  /** The state with this name was entered, NONE for no state; empty where the text is about something else. */
  readonly stateName: string;
  readonly timeMs: number;
  /** The line goes from the node upwards. */
  readonly line: readonly { readonly nodeId: string; readonly class: string }[];
  readonly configs: ReadonlyMap<string, NodeConfig>;
  /** Expressions can read these nodes; without any, the node is here alone. */
  readonly viewed: ReadonlyMap<string, ViewedNode>;
  /** Expressions call the nearest nodes of the line by these names. */
  readonly read: Readonly<Record<'SOURCE' | 'LOCATION' | 'WORKSPACE', string | undefined>>;
  readonly names: ClassNames;
};

/**
 * Returns a text with its expressions evaluated (docs/reference/expressions.md#objects).
 * @returns `problem`: why that cannot be done; the text is empty then
 */
export function evaluateText(
  source: string,
  about: About,
  reader: Reader,
  nowMs: number,
): { readonly text: string; readonly problem: string | undefined } {
  if (!hasExpressions(source)) return { text: source, problem: undefined };
  const { timeMs } = about;
  try {
    const objects = { NOW: formatIsoMs(timeMs), ...objectsOf(about, reader, nowMs) };
    const text = parseExpressions(source).render(objects, { nowMs: timeMs, zone: reader.zone, work: MESSAGE_WORK });
    return { text, problem: undefined };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
    return { text: '', problem: error.message };
  }
}

/** Returns the node as it was at the transition, and the nearest ones above it, itself included. */
function objectsOf(
  { node, value, stateName, timeMs, configs, viewed, read, names }: About,
  reader: Reader,
  nowMs: number,
) {
  const objectOf = (node: ViewedNode, shown: ShownValue | null) => {
    const currentValueFormatted = shown ? valueText(shown, formatOf(node), reader) : '';
    const view = nodeView(node, { names, nowMs, urlOf: () => undefined });
    return nodeObject(view, { path: configs.get(node.nodeId)?.path ?? '', currentValueFormatted });
  };
  const current = objectOf(node, value);
  const above = (nodeId: string | undefined) => {
    const named = nodeId === undefined ? undefined : viewed.get(nodeId);
    if (!named) return null;
    return named === node ? current : objectOf(named, shownAt(named, 'current'));
  };
  return {
    // Newer records may have come since.
    THIS:
      stateName === ''
        ? current
        : {
            ...current,
            currentStateName: stateName === NO_STATE ? null : stateName,
            currentTime: formatIsoMs(timeMs),
            currentValue: value && shownValue(value.record, value.shown),
            currentQuality: value?.record.quality ?? null,
          },
    SOURCE: above(read.SOURCE),
    LOCATION: above(read.LOCATION),
    WORKSPACE: above(read.WORKSPACE),
  };
}
