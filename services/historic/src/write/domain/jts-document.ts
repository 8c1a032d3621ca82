import { tooLarge } from '@catchment/errors';
import { COLUMNS_MAX, RECORDS_MAX } from '@catchment/ids';
import { bodyText, isJsonObject, type JsonObject, mayHoldUnstorable, parseJsonBody } from '@catchment/json-body';
import { badBody } from '../../series/index.ts';
import { NumberRows, readNumberRows } from './jts-numbers.ts';

const INDEX = /^(0|[1-9]\d{0,8})$/;
/**
 * Accepted spellings of `dataType` (docs/reference/writing.md#data-source-writes, rule 4;
 * docs/reference/requests-and-errors.md#what-clients-rely-on, item 3).
 */
const DATA_TYPES = ['NUMBER', 'TEXT', 'TIME', 'VALUE', 'BOOLEAN', 'COORDINATES'] as const;
export type DataType = (typeof DATA_TYPES)[number];

/** `header.columns` has such entries; what the document leaves out or sends as null is ''. */
export type HeaderColumn = {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly series: string;
  readonly units: string;
  readonly dataType: DataType;
  readonly dataTypeGiven: boolean;
};

export type JtsDocument = {
  /** The columns have the order of their indexes; empty without a header. */
  readonly columns: readonly HeaderColumn[];
  readonly rows: JtsRows;
  /** The writer has read these raw fields at the times of its records; absent where it does not say so. */
  readonly was?: readonly unknown[];
};

/** The records of a document are raw entries, or numbers read already. */
export type JtsRows = readonly unknown[] | NumberRows;

/**
 * Reads a JTS document (docs/reference/records-and-documents.md#jts-documents, docs/reference/writing.md#checks-before-the-answer)
 * as far as it can be checked without knowing the columns' types.
 * @throws DomainError invalid_argument naming attribute and rule; too_large over the limits in
 * docs/reference/writing.md#checks-before-the-answer
 */
export function parseJtsDocument(body: Uint8Array): JtsDocument {
  const document = readBody(body);
  if (!isJsonObject(document)) throw badBody('body', 'must be a JTS document');
  if (typeof document.docType !== 'string' || document.docType.toLowerCase() !== 'jts')
    throw badBody('docType', 'must be jts');
  checkSubType(document.subType);
  checkVersion(document.version);
  const columns = readColumns(document.header);
  const rows = document.data;
  if (!Array.isArray(rows) && !(rows instanceof NumberRows)) throw badBody('data', 'must be an array');
  if (rows.length > RECORDS_MAX) throw tooLarge(`data: must have at most ${RECORDS_MAX} records`);
  const { was } = document;
  if (was === undefined || was === null) return { columns, rows };
  if (!Array.isArray(was)) throw badBody('was', 'must be an array');
  if (was.length > RECORDS_MAX) throw tooLarge(`was: must have at most ${RECORDS_MAX} records`);
  return { columns, rows, was };
}

/** @throws DomainError invalid_argument for a document that says what was there, where nobody compares it */
export function checkNoWas({ was }: JtsDocument): void {
  if (was) throw badBody('was', 'is for writes to one parameter or Location');
}

/** Returns the body as JSON; its `data` as NumberRows where they hold numbers alone. */
function readBody(body: Uint8Array): unknown {
  const read = readNumberRows(body, bodyText(body));
  const document = read && tryParse(read.head);
  // A name that only ends like `data` leaves no data.
  if (read && isJsonObject(document) && Array.isArray(document.data)) return { ...document, data: read.rows };
  return parseJsonBody(body);
}

function tryParse(text: string): unknown {
  // A wrong record refuses the whole document.
  if (mayHoldUnstorable(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the column index that a key of `columns` or `f` names, or undefined. */
export const columnIndexOf = (key: string): number | undefined => (INDEX.test(key) ? Number(key) : undefined);

function checkSubType(subType: unknown): void {
  if (subType === undefined || subType === null) return;
  if (typeof subType !== 'string' || subType.toUpperCase() !== 'TIMESERIES')
    throw badBody('subType', 'must be TIMESERIES or absent');
}

function checkVersion(version: unknown): void {
  if (version === undefined || version === null || version === 1) return;
  if (version !== '1.0' && version !== '1' && version !== 'v1') throw badBody('version', 'must be 1.0');
}

function readColumns(header: unknown): HeaderColumn[] {
  if (header === undefined || header === null) return [];
  if (!isJsonObject(header)) throw badBody('header', 'must be an object');
  const { columns } = header;
  if (columns === undefined || columns === null) return [];
  if (!isJsonObject(columns)) throw badBody('header.columns', 'must be an object');
  const entries = Object.entries(columns);
  if (entries.length > COLUMNS_MAX) throw tooLarge(`header.columns: must have at most ${COLUMNS_MAX} columns`);
  return entries.map(([key, column]) => readColumn(key, column)).sort((a, b) => a.index - b.index);
}

function readColumn(key: string, column: unknown): HeaderColumn {
  const index = columnIndexOf(key);
  if (index === undefined) throw badBody(`header.columns.${key.slice(0, 40)}`, 'key must be a column index');
  const at = `header.columns.${key}`;
  if (!isJsonObject(column)) throw badBody(at, 'must be an object');
  const dataType = readText(column, 'dataType', at).toUpperCase();
  return {
    index,
    id: readText(column, 'id', at),
    name: readText(column, 'name', at),
    series: readText(column, 'series', at),
    units: readText(column, 'units', at),
    dataType: readDataType(dataType || 'NUMBER', at),
    dataTypeGiven: dataType !== '',
  };
}

function readText(column: JsonObject, attribute: string, at: string): string {
  const value = column[attribute];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw badBody(`${at}.${attribute}`, 'must be a string');
  return value;
}

function readDataType(text: string, at: string): DataType {
  const dataType = DATA_TYPES.find((known) => known === text);
  if (!dataType) throw badBody(`${at}.dataType`, `must be one of ${DATA_TYPES.join(', ')}`);
  return dataType;
}
