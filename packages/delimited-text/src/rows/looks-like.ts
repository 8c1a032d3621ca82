import { type DomainError, invalid } from '@catchment/errors';

/** Files that hold no text have these first bytes, in hexadecimal. */
const MAGIC: readonly (readonly [string, string])[] = [
  ['504b0304', 'a ZIP archive or an Excel workbook (.xlsx); save its table as CSV'],
  ['d0cf11e0', 'an old Excel workbook (.xls); save its table as CSV'],
  ['1f8b', 'a gzip archive within another one'],
  ['25504446', 'a PDF'],
  ['ffd8ff', 'a JPEG picture'],
  ['89504e47', 'a PNG picture'],
  ['47494638', 'a GIF picture'],
  ['53514c69', 'an SQLite database'],
  ['50415231', 'a Parquet file'],
  ['894844460d0a1a0a', 'an HDF5 or NetCDF file'],
  ['43444601', 'a NetCDF file'],
  ['43444602', 'a NetCDF file'],
  ['377abcaf', 'a 7-Zip archive'],
  ['52617221', 'a RAR archive'],
  ['425a68', 'a bzip2 archive'],
  ['fd377a58', 'an xz archive'],
  ['28b52ffd', 'a Zstandard archive'],
  ['7b5c727466', 'a document in RTF'],
];
/** This many characters are looked at. */
const CHARACTERS = 4096;
const CONTROLS_SHARE = 0.1;

const refusal = (what: string): DomainError => invalid('NO_TABLE', `file: no table of text: this looks like ${what}`);

/** @returns what the first bytes show for sure */
function ofBytes(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex');
  const found = MAGIC.find(([begin]) => hex.startsWith(begin))?.[1];
  if (found) return found;
  return /^"?TOB[123]/.test(Buffer.from(head.subarray(0, 6)).toString('latin1'))
    ? "a binary table of Campbell's (TOB); convert it to TOA5"
    : undefined;
}

/** @returns what the text shows, where no table is found in it */
function ofText(text: string): string | undefined {
  const begin = text.slice(0, CHARACTERS).trimStart();
  if (/^<\?xml|^<[A-Za-z][\w:.-]*[\s/>]|^<!--/.test(begin) && !/^<(?:!doctype\s+)?html/i.test(begin))
    return xmlName(begin);
  if (/^<(?:!doctype\s+)?html/i.test(begin))
    return 'a page in HTML, such as the login or the error of a server; export the table as CSV';
  if (/^[[{]/.test(begin) && /["\]}]/.test(begin)) return 'JSON; a source of the class Jts reads JTS documents';
  const controls = [...begin].filter(
    (character) => character === '\ufffd' || (character < ' ' && !/[\0\s]/.test(character)),
  ).length;
  return controls > begin.length * CONTROLS_SHARE ? 'binary data' : undefined;
}

function xmlName(begin: string): string {
  if (/<Body_xle\b/i.test(begin)) return 'XLE, the XML of Solinst loggers; export it as CSV';
  if (/<gpx\b/i.test(begin)) return 'GPX, a track in XML';
  if (/waterml|<timeSeriesResponse\b|wml2?:/i.test(begin))
    return 'WaterML, an XML of hydrology; export the table as CSV or RDB';
  return 'XML; export the table as CSV';
}

/** @throws DomainError invalid_argument where the first bytes are those of no text */
export function refuseForeign(head: Uint8Array): void {
  const what = ofBytes(head);
  if (what) throw refusal(what);
}

/** Explains what is wrong with a text in which no table was found: it may be something else. */
export function explained(error: unknown, text: string): unknown {
  const what = ofText(text);
  return what === undefined ? error : refusal(what);
}

/** `weather,station=a temp=18.2 1716474900000000000` */
const LINE_PROTOCOL = /^[\w.-]{1,80}(?:,[\w.-]{1,80}=[^ ,]{1,80}){0,20} [\w.-]{1,80}=[^ ]{1,400} \d{10,19}$/;
const PROTOCOL_LINES = 3;

/** Refuses XML and pages at once, whatever the settings are: no table begins like that. */
export function refuseMarkup(text: string): void {
  const lines = text.slice(0, CHARACTERS).split(/\r?\n/, PROTOCOL_LINES);
  if (lines.length === PROTOCOL_LINES && lines.every((line) => LINE_PROTOCOL.test(line)))
    throw refusal("InfluxDB's line protocol; export its table as CSV");
  if (!/^\s*<(?:\?xml|!doctype|html)/i.test(text.slice(0, CHARACTERS))) return;
  const what = ofText(text);
  if (what) throw refusal(what);
}
