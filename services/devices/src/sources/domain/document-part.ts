import { isJsonObject } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';

/** A client has sent this JSON, which is not read yet. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @returns undefined for what is no JSON */
  read(): unknown {
    try {
      return JSON.parse(this.text);
    } catch {
      return undefined;
    }
  }
}

/** A document as JSON. */
export const textOf = (document: unknown): string =>
  document instanceof JsonText ? document.text : JSON.stringify(document);

/** A larger JTS document is joined from such parts. */
export type DocumentPart = {
  /** Documents with the same one mean the same by their columns. */
  readonly head: string;
  /** The records are JSON without the brackets around them. */
  readonly rows: string;
  /** Unix ms of the records. */
  readonly times: readonly number[];
};

/** Returns the document as a part; undefined for what is none, or no usual one: written alone, it is stored or refused with the reason. */
export function partOf(given: unknown): DocumentPart | undefined {
  const document = given instanceof JsonText ? given.read() : given;
  if (!isJsonObject(document) || !isJsonObject(document.header) || !Array.isArray(document.data)) return undefined;
  const { docType, subType, version, header, data } = document;
  if (!isJsonObject(header.columns) || data.length === 0) return undefined;
  const times: number[] = [];
  for (const row of data) {
    const time = isJsonObject(row) ? parseTimeValueMs(row.ts) : undefined;
    if (time === undefined) return undefined;
    times.push(time);
  }
  const head = JSON.stringify({ docType, subType, version, header: { columns: header.columns } });
  return { head, rows: JSON.stringify(data).slice(1, -1), times };
}

/** Makes one document of several that have one head. */
export const join = (parts: readonly DocumentPart[]): string =>
  `${parts[0]?.head.slice(0, -1)},"data":[${parts.map(({ rows }) => rows).join()}]}`;
