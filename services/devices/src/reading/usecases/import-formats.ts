import { jtsColumns, jtsEntry, looksLikeJson, openJts, openText } from '@catchment/delimited-text';
import { invalid } from '@catchment/errors';
import { COLUMNS_MAX } from '@catchment/ids';
import { IMPORT_FORMATS, type ImportFormat } from '@catchment/query';
import type { Member } from './archive/member.ts';
import type { Content, Opening } from './opened-content.ts';
import { soundRecords } from './sound-records.ts';

type Format = {
  /** Says by the first bytes whether a file is of this format; absent: it is chosen, or nothing else fits. */
  readonly looksLike?: (head: Uint8Array) => boolean;
  readonly open: (member: Member, opening: Opening) => Promise<Content>;
};

/** Imports read these formats (docs/reference/writing.md#imports). */
const FORMATS: Readonly<Record<ImportFormat, Format>> = {
  TEXT: { open: openDelimited },
  JTS: {
    looksLike: looksLikeJson,
    open: async (member, { zone }) => ({ ...openJts(member.bytes(), zone), report: undefined }),
  },
};
const OTHERWISE: ImportFormat = 'TEXT';

/** Opens the content of a file: of the format that was chosen, or of the first that its beginning looks like. */
export async function openContent(member: Member, opening: Opening): Promise<Content> {
  const { format } = opening.settings;
  return FORMATS[format === 'AUTO' ? formatOf(await headOf(member)) : format].open(member, opening);
}

const formatOf = (head: Uint8Array): ImportFormat =>
  IMPORT_FORMATS.find((name) => FORMATS[name].looksLike?.(head)) ?? OTHERWISE;

async function headOf({ bytes }: Member): Promise<Uint8Array> {
  for await (const piece of bytes()) return piece;
  return new Uint8Array(0);
}

async function openDelimited(member: Member, { file, settings, zone, refused }: Opening): Promise<Content> {
  const { source, arrivedMs } = file;
  const text = await openText(member.bytes(), {
    settings: source.parser ?? {},
    zone,
    nowMs: arrivedMs,
    ...(refused && { failed: (failure, line) => refused.add(failure, line) }),
  });
  let reason: string | undefined;
  const broken = (why: string) => {
    reason = why;
  };
  const ofText = { report: text.report, brokenOff: () => reason };
  if (isOfSeries(source.sourceClass)) {
    const at = seriesAt(text.series, settings.series);
    const [only] = text.series.slice(at, at + 1);
    return {
      ...ofText,
      columns: () => jtsColumns(only ? [only] : []),
      entries: async function* () {
        for await (const record of soundRecords(text, broken)) {
          const entry = jtsEntry({ ...record, cells: [record.cells[at]] });
          if (entry) yield { timeMs: record.timeMs, ...entry };
        }
      },
    };
  }
  if (text.series.length > COLUMNS_MAX)
    throw invalid('TOO_MANY_SERIES', `parser.columns: at most ${COLUMNS_MAX} may be series, not ${text.series.length}`);
  return {
    ...ofText,
    columns: () => jtsColumns(text.series),
    entries: async function* () {
      for await (const record of soundRecords(text, broken)) {
        const entry = jtsEntry(record);
        if (entry) yield { timeMs: record.timeMs, ...entry };
      }
    },
  };
}

/** Returns whether nodes of the class have records themselves. */
const isOfSeries = (nodeClass = ''): boolean => !nodeClass.startsWith('source.');

function seriesAt(series: readonly { readonly key: string }[], wanted: string | undefined): number {
  const at = wanted === undefined ? (series.length === 1 ? 0 : -1) : series.findIndex(({ key }) => key === wanted);
  if (at >= 0) return at;
  const keys = series.map(({ key }) => key).join(', ');
  throw invalid('INVALID_PARAMS', `series: must be one of the file: ${keys.slice(0, 200)}`);
}
