import type { ValueType } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { isJsonObject, parseJsonBody } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';
import type { BuiltColumn } from '../../records/index.ts';
import { badBody, isStorable, type QualityOfValue, RECORD_RANGE_RULE } from '../../series/index.ts';
import { ColumnBuilder } from './column-builder.ts';

/**
 * Reads the body of `PUT …/historic/now` (docs/reference/writing.md#one-record) and checks it as far as that goes without the node's type.
 * @throws DomainError invalid_argument
 */
export function parseNowBody(body: Uint8Array, arrivalMs: number) {
  const input = parseJsonBody(body);
  if (!isJsonObject(input)) throw badBody('body', 'must be an object');
  const { value = null, quality = null, annotation = null, timestamp = null } = input;
  if (value === null && quality === null && annotation === null)
    throw badBody('body', 'must have at least one of value, quality and annotation');
  const timestampMs = timestamp === null ? arrivalMs : parseTimeValueMs(timestamp);
  if (timestampMs === undefined)
    throw badBody('timestamp', 'must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
  if (!isStorable(timestampMs)) throw badBody('timestamp', RECORD_RANGE_RULE);
  return { value, quality, annotation, timestampMs };
}

type NowBody = ReturnType<typeof parseNowBody>;

/** @throws DomainError invalid_argument when a value is not of the series' type */
export function buildNowColumn(now: NowBody, type: ValueType, qualityOf: QualityOfValue | undefined): BuiltColumn {
  const builder = new ColumnBuilder(type, 1, qualityOf);
  const field = { v: now.value ?? undefined, q: now.quality ?? undefined, a: now.annotation ?? undefined };
  try {
    builder.add(0, field, 0, '0');
  } catch (error) {
    if (error instanceof DomainError) throw badBody(...inTermsOfNow(error.message));
    throw error;
  }
  return builder.build(Float64Array.of(now.timestampMs));
}

const NAMES: Readonly<Record<string, string>> = { v: 'value', q: 'quality', a: 'annotation' };

function inTermsOfNow(message: string): [at: string, rule: string] {
  const [, attribute = '', rule = ''] = /^data\[0\]\.f\.0\.([vqa]): (.*)$/s.exec(message) ?? [];
  return [NAMES[attribute] ?? 'body', rule || message];
}
