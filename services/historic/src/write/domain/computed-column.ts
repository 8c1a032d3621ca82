import type { ComputedSeries } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { floatsOf, int32sOf } from '@catchment/contracts/packed-numbers';
import { invalid } from '@catchment/errors';
import { isStorableText, QUALITY_MAX, STORABLE_TEXT, TEXT_MAX } from '@catchment/ids';
import { FLAG } from '@catchment/ingest-log';
import { isInstantMs } from '@catchment/time';
import { type BuiltColumn, pickRecords } from '../../records/index.ts';
import { isStorable, qualityOfStates, type SeriesNode } from '../../series/index.ts';
import { isLongerThan } from './column-builder.ts';

const NO_QUALITY = -1;

/** The result of a rating has the quality of its input, whatever its states say. */
const RATING = 'point.NumberRatingPoint';

/**
 * Returns records of a program's or rating's results; those with neither value nor quality are left out, or remove what is there.
 * @throws DomainError invalid_argument
 */
export function computedColumn(node: SeriesNode, series: ComputedSeries): BuiltColumn {
  const timestamps = floatsOf(series.timestamps);
  const count = timestamps.length;
  if (
    !timestamps.every(
      (time, n) => isStorable(time) && Number.isInteger(time) && time > (timestamps[n - 1] ?? -Infinity),
    )
  )
    throw bad(node, 'timestamps: must be storable, ascending and distinct');
  const { numbers, texts, isPresent } = valuesOf(node, series, count);
  const given = qualitiesOf(node, series, count);
  const ofStates = node.class === RATING ? undefined : qualityOfStates(node);
  const flags = new Uint8Array(count);
  const qualities = new Uint16Array(count);
  const kept: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const hasValue = isPresent(n);
    const code = given?.[n] ?? NO_QUALITY;
    const quality = code === NO_QUALITY && hasValue ? ofStates?.(texts[n] ?? numbers[n] ?? 0) : code;
    const hasQuality = quality !== undefined && quality !== NO_QUALITY;
    flags[n] = (hasValue ? FLAG.value : 0) | (hasQuality ? FLAG.quality : 0);
    if (hasQuality) qualities[n] = quality;
    if (flags[n] === 0 && series.removesAbsent) flags[n] = FLAG.deleteMarker;
    if (flags[n] !== 0) kept.push(n);
  }
  const hasQualities = flags.some((bits) => (bits & FLAG.quality) !== 0);
  const annotations = new Map<number, string>();
  const all = {
    timestamps,
    flags,
    numbers,
    texts,
    annotations,
    qualities: hasQualities ? qualities : new Uint16Array(0),
  };
  return pickRecords(all, kept);
}

type Values = Pick<BuiltColumn, 'numbers' | 'texts'> & { readonly isPresent: (index: number) => boolean };

function valuesOf(node: SeriesNode, series: ComputedSeries, count: number): Values {
  const { valueType } = node.series;
  if (valueType === ValueType.VALUE_TYPE_TEXT) {
    const { texts } = series;
    if (texts.length !== count || series.numbers.length > 0) throw bad(node, 'texts: must be one for each timestamp');
    if (texts.some((text) => isLongerThan(text, TEXT_MAX)))
      throw bad(node, `texts: must have at most ${TEXT_MAX} characters`);
    if (!texts.every(isStorableText)) throw bad(node, `texts: must be ${STORABLE_TEXT}`);
    const empty = new Set(series.emptyTexts);
    return { numbers: new Float64Array(0), texts, isPresent: (index) => texts[index] !== '' || empty.has(index) };
  }
  const numbers = floatsOf(series.numbers);
  if (numbers.length !== count || series.texts.length > 0) throw bad(node, 'numbers: must be one for each timestamp');
  const isTime = valueType === ValueType.VALUE_TYPE_TIME;
  if (isTime && !numbers.every((ms) => Number.isNaN(ms) || isInstantMs(ms)))
    throw bad(node, 'numbers: must be times from 1800 to 9998');
  // Infinities are stored as no value (docs/reference/parameters.md#types).
  for (const [index, number] of numbers.entries()) if (!Number.isFinite(number)) numbers[index] = Number.NaN;
  return { numbers, texts: [], isPresent: (index) => !Number.isNaN(numbers[index]) };
}

function qualitiesOf(node: SeriesNode, { qualities: bytes }: ComputedSeries, count: number): Int32Array | undefined {
  if (bytes.length === 0) return undefined;
  const qualities = int32sOf(bytes);
  if (qualities.length !== count || !qualities.every((code) => code >= NO_QUALITY && code <= QUALITY_MAX))
    throw bad(node, `qualities: must be one for each timestamp, from 0 to ${QUALITY_MAX}`);
  return qualities;
}

const bad = ({ nodeId }: SeriesNode, rule: string) => invalid('INVALID_ARGUMENT', `series of ${nodeId}, ${rule}`);
