import { jtsEntry, type OpenedText } from '@catchment/delimited-text';

/** `data` of a JTS document. */
export type Batch = readonly { readonly ts: string; readonly f: Readonly<Record<string, object | null>> }[];

const RECORDS_MAX = 10_000;
/** Below the limit of a message between services, 8 MiB, whatever the characters are. */
const TEXT_MAX = 1_000_000;

/** Records of a file, in its order, in parts that one write takes. Holds one of them. @param skip of its first records, so many */
export async function* inBatches(text: OpenedText, skip: number): AsyncGenerator<Batch> {
  let batch: Batch[number][] = [];
  let characters = 0;
  let left = skip;
  for await (const record of text.records()) {
    const entry = jtsEntry(record);
    if (!entry) continue;
    if (left > 0) {
      left -= 1;
      continue;
    }
    batch.push(entry);
    for (const cell of record.cells) characters += typeof cell?.value === 'string' ? 32 + cell.value.length : 32;
    if (batch.length < RECORDS_MAX && characters < TEXT_MAX) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
