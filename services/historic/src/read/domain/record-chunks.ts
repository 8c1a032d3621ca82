import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import type { RecordSet } from '../../records/index.ts';

const RECORDS_PER_CHUNK = 20_000;
/** Characters of up to three bytes each stay well within a message. */
const TEXT_PER_CHUNK = 1_000_000;

/** A message has some records of a set. */
type RecordChunk = {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly values: { readonly numbers: Buffer; readonly texts: string[]; readonly qualities: Buffer };
};

/** Values and qualities by messages of a bounded size; an empty one for a set without records. */
export function* recordChunks(records: RecordSet): Generator<RecordChunk> {
  const { valueType, count } = records;
  const isText = valueType === ValueType.VALUE_TYPE_TEXT;
  const numbersPerRecord = valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : 1;
  let from = 0;
  do {
    const to = isText ? endOfTexts(records, from) : Math.min(from + RECORDS_PER_CHUNK, count);
    const numbers = records.numbers.subarray(from * numbersPerRecord, to * numbersPerRecord);
    yield {
      from,
      to,
      values: {
        numbers: isText ? Buffer.alloc(0) : bytesOf(numbers),
        texts: isText ? records.texts.slice(from, to).map((text) => text ?? '') : [],
        qualities: records.hasQualities ? bytesOf(records.qualities.subarray(from, to)) : Buffer.alloc(0),
      },
    };
    from = to;
  } while (from < count);
}

function endOfTexts({ texts, count }: RecordSet, from: number): number {
  let to = from;
  for (let size = 0; to < count && to - from < RECORDS_PER_CHUNK && size < TEXT_PER_CHUNK; to += 1)
    size += texts[to]?.length ?? 0;
  return to;
}
