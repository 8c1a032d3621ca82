import { jtsEntry, type OpenedText } from '@catchment/delimited-text';

/** `data` of a JTS document. */
export type Batch = {
  readonly records: number;
  /** An array, as text: as objects the records of one part would take many times its size, for as long as it is written. */
  readonly json: string;
};

const RECORDS_MAX = 2_000;
/** Below the limit of a message between services, 8 MiB, whatever the characters are. */
const TEXT_MAX = 1_000_000;

/** Records of a file, in its order, in parts that one write takes. Holds one of them. @param skip of its first records, so many */
export async function* inBatches(text: OpenedText, skip: number): AsyncGenerator<Batch> {
  let entries: string[] = [];
  let characters = 0;
  let left = skip;
  for await (const record of text.records()) {
    const entry = jtsEntry(record);
    if (!entry) continue;
    if (left > 0) {
      left -= 1;
      continue;
    }
    const json = JSON.stringify(entry);
    entries.push(json);
    characters += json.length;
    if (entries.length < RECORDS_MAX && characters < TEXT_MAX) continue;
    yield { records: entries.length, json: `[${entries.join()}]` };
    entries = [];
    characters = 0;
  }
  if (entries.length > 0) yield { records: entries.length, json: `[${entries.join()}]` };
}
