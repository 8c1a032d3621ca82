import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../domain/classes/node.ts';

/** `shownOf` reads these attributes of a configuration; the rest may be large. */
export const SHOWN_ATTRIBUTES = [
  'multiplier',
  'offset',
  'equation',
  'statesType',
  'states',
  'isEnabled',
  'scheduleType',
] as const;

/** True where a node shows its records otherwise, or another status, than with the configuration of before. */
export const isShownOtherwise = (before: Config, after: Config): boolean =>
  SHOWN_ATTRIBUTES.some((name) => !isDeepStrictEqual(before[name], after[name]));
