import { transformOf } from '@catchment/equation';
import { onOneLine, TEXT_MAX, textProblem } from '@catchment/ids';
import { formatIsoMs, parseTimeValueMs } from '@catchment/time';
import { invalidAttribute } from '../body/rule.ts';
import { attributeOf, type Config, statesOf, transformAttributes } from './node.ts';
import type { NodeClass } from './node-class.ts';

/** Somebody asks for this value. */
export type ControlValue = {
  /** People see the value so: a number, text or time. */
  readonly shown: number | string | { readonly $millis: number };
  /** The logger takes this value: before the transform; a time in Unix ms. */
  readonly raw: number | string;
  /** The event about the value has this text. */
  readonly text: string;
};

const ATTRIBUTE = 'controlValue';

/**
 * Reads a value that is written to a control parameter (docs/reference/parameters.md#control-parameters).
 * @throws DomainError invalid_argument for one of another type, outside of the restriction, or that no stored number gives
 */
export function readControlValue(cls: NodeClass, config: Config, value: unknown): ControlValue {
  switch (cls.family) {
    case 'TIME': {
      const ms = typeof value === 'number' ? undefined : parseTimeValueMs(value);
      if (ms === undefined) throw refused('must be a time such as 2014-10-09T22:38:10.000Z');
      return { shown: { $millis: ms }, raw: ms, text: formatIsoMs(ms) };
    }
    case 'TEXT': {
      const text = restricted(cls, config, value);
      if (typeof text !== 'string' || [...text].length > TEXT_MAX)
        throw refused(`must be a text of at most ${TEXT_MAX} characters`);
      const problem = textProblem(text, { lines: true });
      if (problem) throw refused(problem);
      return { shown: text, raw: text, text: onOneLine(text) };
    }
    default: {
      const number = restricted(cls, config, value);
      if (typeof number !== 'number' || !Number.isFinite(number)) throw refused('must be a number');
      return { shown: number, raw: storedNumber(config, number), text: String(number) };
    }
  }
}

/** Returns the value within the restriction; a state's name becomes its threshold. */
function restricted(cls: NodeClass, config: Config, value: unknown): unknown {
  const of = (name: string) => attributeOf(cls, config, name);
  switch (of('controlValueRestriction')) {
    case 'RANGE': {
      const [min, max] = [of('controlValueMinimum') as number, of('controlValueMaximum') as number];
      if (typeof value === 'number' && (value < min || value > max)) throw refused(`must be from ${min} to ${max}`);
      return value;
    }
    case 'STATES': {
      const type = cls.family === 'TEXT' ? 'string' : 'number';
      const states = statesOf(config).states.filter(({ threshold }) => typeof threshold === type);
      const state = states.find(({ threshold }) => threshold === value) ?? states.find(({ name }) => name === value);
      if (!state) throw refused('must be the threshold or the name of a state');
      return state.threshold;
    }
    default:
      return value;
  }
}

/** Returns the stored number that is shown as this one. */
function storedNumber(config: Config, shown: number): number {
  const { linear, isIdentity } = transformOf(transformAttributes(config));
  if (isIdentity) return shown;
  if (!linear || linear.slope === 0) throw refused('cannot be found back through the equation of the parameter');
  const raw = (shown - linear.intercept) / linear.slope;
  if (!Number.isFinite(raw)) throw refused('is beyond what the multiplier allows');
  return raw;
}

const refused = (rule: string) => invalidAttribute(ATTRIBUTE, rule);
