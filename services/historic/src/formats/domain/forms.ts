import type { READ_FORMATS } from '@catchment/query';
import type { SeriesView } from '../../columns/index.ts';
import { bad } from '../../series/index.ts';
import type { Answer, Pieces } from './answer.ts';
import { arrowForm } from './arrow.ts';
import { covJsonPieces } from './covjson.ts';
import { parquetForm } from './parquet.ts';
import { rdbPieces } from './rdb.ts';
import { waterMlPieces } from './waterml.ts';

/** Answers have these forms beside JSON and CSV (docs/reference/formats.md). */
export type FurtherFormat = Exclude<(typeof READ_FORMATS)[number], 'JSON' | 'CSV'>;

type Form = {
  readonly contentType: string;
  /** The form shows the Locations of nodes besides the nodes. */
  readonly namesSites: boolean;
  readonly open: () => Promise<(answer: Answer) => Pieces | Promise<Pieces>>;
  /** Returns the rule that the error names for a column that the format cannot show. */
  readonly refuses?: (view: SeriesView) => string | undefined;
  /** Returns the bytes of a record, and of a cell of a row without one, beyond what a record counts in an answer. */
  readonly moreBytes: (view: SeriesView) => { readonly record: number; readonly cell: number };
};

const nothingMore = () => ({ record: 0, cell: 0 });
const numbersOnly = ({ kind }: SeriesView) =>
  kind === 'NUMBER' ? undefined : 'WATERML2 needs number parameters rendered as VALUE';
const noCoordinates = ({ kind }: SeriesView) =>
  kind === 'COORDINATES' ? 'COVJSON cannot hold coordinates as values; ask for format=CSV' : undefined;

/** Value, quality and annotation of Arrow, and the bits of each. */
const COLUMNAR_CELL_BYTES = 17;
const WATERML_BYTES = 240;

export const FORMS: Readonly<Record<FurtherFormat, Form>> = {
  ARROW: {
    contentType: 'application/vnd.apache.arrow.stream',
    namesSites: false,
    open: arrowForm,
    moreBytes: () => ({ record: 0, cell: COLUMNAR_CELL_BYTES }),
  },
  PARQUET: {
    contentType: 'application/vnd.apache.parquet',
    namesSites: false,
    open: parquetForm,
    moreBytes: () => ({ record: 0, cell: COLUMNAR_CELL_BYTES }),
  },
  RDB: {
    contentType: 'text/plain; charset=utf-8',
    namesSites: true,
    open: async () => rdbPieces,
    moreBytes: () => ({ record: 0, cell: 2 }),
  },
  WATERML2: {
    contentType: 'application/xml; charset=utf-8',
    namesSites: true,
    open: async () => waterMlPieces,
    refuses: numbersOnly,
    moreBytes: () => ({ record: WATERML_BYTES, cell: 0 }),
  },
  COVJSON: {
    contentType: 'application/prs.coverage+json; charset=utf-8',
    namesSites: true,
    open: async () => covJsonPieces,
    refuses: noCoordinates,
    moreBytes: nothingMore,
  },
};

/** @throws DomainError invalid_argument for a column that the form cannot show */
export function checkColumns(form: Form | undefined, views: readonly SeriesView[]): void {
  for (const view of views) {
    const rule = form?.refuses?.(view);
    if (rule !== undefined) throw bad('format', rule);
  }
}
