import { QUALITY_MAX } from '@catchment/ids';
import {
  DEFAULT_QUALITY,
  QUALITY_TYPES,
  type QualityCode,
  type QualitySettings,
  type QualityType,
  SYSTEM_CODES,
} from '@catchment/quality';
import {
  type Fields,
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  NO_CONTEXT,
  type Rule,
  readValue,
} from '../../domain/body/rule.ts';

const MAX_CODES = 500;
const CODE: Rule = { kind: 'integer', min: 0, max: QUALITY_MAX };
const TYPE: Rule = { kind: 'choice', of: QUALITY_TYPES };
const ENTRY: Fields = {
  name: { rule: { kind: 'text', min: 1, max: 60 }, required: true },
  sourceQuality: { rule: { kind: 'list', item: CODE, max: 100 }, default: [] },
  code: { rule: CODE, required: true },
  type: { rule: TYPE },
  color: { rule: { kind: 'text', max: 7, pattern: /^#[0-9a-fA-F]{6}$/, rule: 'must be a colour such as #4a84c3' } },
};
/** A body may change these settings. */
export const QUALITY = {
  excluded: { rule: { kind: 'list', item: TYPE, max: QUALITY_TYPES.length } },
  unspecified: { rule: TYPE },
  unknown: { rule: TYPE },
  codes: { rule: { kind: 'list', item: { kind: 'object', fields: ENTRY }, max: MAX_CODES } },
} as const satisfies Fields;
const CUSTOM_COLOR = '#808080';

/**
 * Returns the settings after a body: absent attributes stay, null resets to the default, `codes` replaces the list.
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeQuality(current: QualitySettings, body: JsonObject): QualitySettings {
  const read = <T>(name: keyof QualitySettings, change: (value: unknown) => T): T => {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (given === undefined) return current[name] as T;
    return given === null ? (DEFAULT_QUALITY[name] as T) : change(given);
  };
  const type = (name: 'unspecified' | 'unknown') =>
    read(name, (value) => readValue(QUALITY[name].rule, value, name, NO_CONTEXT) as QualityType);
  return {
    excluded: read('excluded', (value) => [
      ...new Set(readValue(QUALITY.excluded.rule, value, 'excluded', NO_CONTEXT) as QualityType[]),
    ]),
    unspecified: type('unspecified'),
    unknown: type('unknown'),
    codes: read('codes', readCodes),
  };
}

type GivenCode = Pick<QualityCode, 'name' | 'sourceQuality' | 'code'> & { type?: QualityType; color?: string };

function readCodes(value: unknown): QualityCode[] {
  const given = readValue(QUALITY.codes.rule, value, 'codes', NO_CONTEXT) as GivenCode[];
  const codes = given.map((entry, i) => {
    const system = SYSTEM_CODES.find(({ name }) => name === entry.name);
    const color = entry.color?.toLowerCase() ?? system?.color ?? CUSTOM_COLOR;
    if (!system && entry.type === undefined) throw invalidAttribute(`codes[${i}].type`, 'is required');
    const { name, sourceQuality, code } = entry;
    return {
      name,
      sourceQuality,
      code,
      type: system?.type ?? entry.type ?? 'GOOD',
      color,
      isSystem: system !== undefined,
    };
  });
  for (const { name } of SYSTEM_CODES)
    if (!codes.some((code) => code.name === name))
      throw invalidAttribute('codes', `must keep the system entry '${name}'; its code and color may change`);
  checkOnce(codes.map(({ name }, i) => ({ key: name.toLowerCase(), at: `codes[${i}].name` })));
  checkOnce(codes.map(({ code }, i) => ({ key: code, at: `codes[${i}].code` })));
  checkOnce(
    codes.flatMap(({ sourceQuality }, i) =>
      sourceQuality.map((key, n) => ({ key, at: `codes[${i}].sourceQuality[${n}]` })),
    ),
  );
  return codes;
}

function checkOnce(values: readonly { key: string | number; at: string }[]): void {
  const seen = new Set<string | number>();
  for (const { key, at } of values) {
    if (seen.has(key)) throw invalidAttribute(at, 'must be unique in the table');
    seen.add(key);
  }
}

/** Reads settings as stored: null = the defaults. */
export const readQuality = (stored: unknown): QualitySettings =>
  isJsonObject(stored) ? (stored as QualitySettings) : DEFAULT_QUALITY;
