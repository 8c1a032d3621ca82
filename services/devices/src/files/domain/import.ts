import { invalid } from '@catchment/errors';
import { IMPORT_FORMATS, WRITE_MODES } from '@catchment/query';
import { normaliseZoneName } from '@catchment/time';
import type { FileOutcome } from '../../reading/index.ts';
import type { FileSource, ImportSettings } from '../../sources/index.ts';

export type ImportedFile = {
  readonly fileId: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly source: FileSource;
};

export type ImportState = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

export type Import = {
  readonly importId: string;
  readonly nodeId: string;
  readonly workspaceId: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly state: ImportState;
  /** null: not known yet. */
  readonly recordsTotal: number | null;
  readonly recordsDone: number;
  readonly outcome: FileOutcome | null;
  /** Unix ms. */
  readonly createdMs: number;
  readonly endedMs: number | null;
  readonly source: FileSource | null;
};

export type ImportEnd = {
  readonly state: Exclude<ImportState, 'WAITING' | 'RUNNING'>;
  readonly outcome: FileOutcome | null;
};

const NOTIFY_ON = ['ALL_NEWER', 'NONE'];
const FORMATS = ['AUTO', ...IMPORT_FORMATS] as const;
const FIELDS = [
  'writeMode',
  'notifyOn',
  'timezone',
  'timezoneAdjustForDst',
  'parser',
  'format',
  'series',
  'columnIndex',
];
const SERIES_CHARACTERS = 255;
const COLUMN_MAX = 10_000;

const wrong = (name: string, rule: string) => invalid('INVALID_ARGUMENT', `${name}: ${rule}`);

/**
 * Returns the fields of the form, as far as they stand by themselves; `parser` is the value of its JSON.
 * @throws DomainError invalid_argument naming the field
 */
export function readImportFields(fields: Readonly<Record<string, string>>): {
  readonly source: Pick<FileSource, 'writeMode' | 'timezone' | 'timezoneAdjustForDst'>;
  readonly settings: Omit<ImportSettings, 'username'>;
  readonly parser: unknown;
} {
  for (const name of Object.keys(fields))
    if (!FIELDS.includes(name)) throw wrong(name, `must be one of ${FIELDS.join(', ')}, or the file`);
  const choice = <T extends string>(name: string, of: readonly T[], absent: T): T => {
    const given = fields[name]?.trim().toUpperCase();
    const found = given ? of.find((known) => known === given) : absent;
    if (!found) throw wrong(name, `must be one of ${of.join(', ')}`);
    return found;
  };
  const { timezone, timezoneAdjustForDst, series, columnIndex, parser } = fields;
  const zone = timezone && normaliseZoneName(timezone);
  if (timezone && !zone) throw wrong('timezone', 'must be an IANA time zone name such as Etc/UTC or Australia/Perth');
  const column = columnIndex ? Number(columnIndex) : undefined;
  if (column !== undefined && !(Number.isInteger(column) && column >= 0 && column <= COLUMN_MAX))
    throw wrong('columnIndex', `must be a whole number from 0 to ${COLUMN_MAX}`);
  if (series && series.length > SERIES_CHARACTERS)
    throw wrong('series', `must be a text of at most ${SERIES_CHARACTERS} characters`);
  return {
    source: {
      writeMode: choice('writeMode', WRITE_MODES, 'MERGE_OVERWRITE_EXISTING'),
      ...(zone && { timezone: zone }),
      ...(timezoneAdjustForDst && {
        timezoneAdjustForDst: choice('timezoneAdjustForDst', ['TRUE', 'FALSE'], 'FALSE') === 'TRUE',
      }),
    },
    settings: {
      format: choice('format', FORMATS, 'AUTO'),
      notifyOn: choice('notifyOn', NOTIFY_ON, 'ALL_NEWER'),
      ...(series && { series }),
      ...(column !== undefined && { columnIndex: column }),
    },
    parser: parser ? jsonOf(parser) : undefined,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('parser', 'must be JSON');
  }
}

/** Makes the public document of an import. */
export const importView = (importJob: Import): object => ({
  ...listedImport(importJob),
  refused: importJob.outcome?.refused ?? null,
});

/** Returns the import as a list shows it: without its refused lines. */
export function listedImport(importJob: Import): object {
  const { report, refusal } = importJob.outcome ?? {};
  return {
    _id: importJob.importId,
    nodeId: importJob.nodeId,
    fileName: importJob.fileName,
    state: importJob.state,
    sizeBytes: importJob.sizeBytes,
    records: importJob.recordsDone,
    recordsTotal: importJob.recordsTotal,
    createdTime: new Date(importJob.createdMs).toISOString(),
    endedTime: importJob.endedMs === null ? null : new Date(importJob.endedMs).toISOString(),
    failure: refusal?.message ?? null,
    report: report ? { ...report, firstFailure: report.firstFailure || null } : null,
  };
}
