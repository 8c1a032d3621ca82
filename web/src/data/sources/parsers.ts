import { call, nodePath } from '../requests/call.ts';

/** docs/reference/acquisition.md#text-parser. */
type Join = { readonly column?: number; readonly field: string; readonly format?: string };
type ParserColumn = {
  readonly index: number;
  readonly type: string;
  readonly series?: string;
  readonly joins?: readonly Join[];
};
type RowSeries = { readonly seriesId: string; readonly type: string };
export type Parser = {
  readonly delimiter?: string;
  readonly format?: 'COLUMN' | 'ROW';
  readonly labelsRow?: number | null;
  readonly unitsRow?: number | null;
  readonly dataRow?: number | null;
  readonly columnWidths?: readonly number[];
  readonly decimalSeparator?: string;
  readonly textQualifier?: string;
  readonly encoding?: string;
  readonly missing?: readonly string[];
  readonly columns?: readonly ParserColumn[];
  readonly rowSeries?: readonly RowSeries[];
};

type Reading = {
  readonly format: string;
  readonly example: { readonly text: string; readonly date: string };
  readonly parser: Parser;
};
export type Proposal = {
  readonly parser: Parser;
  readonly layout: string;
  readonly why: string;
  readonly timezone?: string;
  readonly timezoneAdjustForDst?: boolean;
  readonly readings?: readonly Reading[];
};
export type PreviewRow = {
  readonly line: number;
  /** Null means that the line was not read. */
  readonly time: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly { readonly column: number | null; readonly reason: string }[];
};
export type Preview = {
  readonly proposal: Proposal | null;
  readonly labels: readonly string[];
  readonly columns: readonly {
    readonly index: number;
    readonly name: string;
    readonly units: string;
    readonly type: string;
    readonly series: string;
  }[];
  readonly rows: readonly PreviewRow[];
  readonly report: {
    readonly lines: number;
    readonly parsed: number;
    readonly failed: number;
    readonly notes: readonly string[];
    readonly brokenOff: string | null;
  };
};

export type PreviewAsked = {
  readonly sampleBase64: string;
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  /** Absent: one is proposed. */
  readonly parser?: Parser | undefined;
  /** The columns of `parser` are proposed anew. */
  readonly propose?: boolean;
};

/** Previews the beginning of a file, in a place in which a source is to be made: nothing is stored. */
export const previewFile = (placeId: string, asked: PreviewAsked, signal: AbortSignal): Promise<Preview> =>
  call('POST', `${nodePath(placeId)}/parser/preview`, { body: asked, signal });

/** This much of a file is looked at: a parser is proposed from it, and a request is not larger. */
export const HEAD_BYTES = 512 * 1024;

/** Reads the beginning of a file in base64. */
export function headOf(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,?/, ''));
  reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
  reader.readAsDataURL(file.slice(0, HEAD_BYTES));
  return promise;
}
