import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { FILE_HAND_OVER, IMPORT_FORMATS } from '@catchment/query';
import { json, operation, UNCHANGED } from '../openapi/parts.ts';

const PARSER = API_SCHEMAS.nodeAttributes.parser;
const PARSER_SHOWN = API_SCHEMAS.nodePart.parser;

const COUNT = { type: 'integer' };
const TEXT = { type: 'string' };
const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });

/** These properties report repeated times, failures and assumptions. */
const READING_COUNTS = {
  repeated: {
    ...COUNT,
    description: 'Lines that have the time of an earlier line of the same series: the last one is stored.',
  },
  unreadableFields: { ...COUNT, description: 'Of lines that were read.' },
  repeatedHeaders: { ...COUNT, description: 'Lines that have the names of the columns once more; none of `lines`.' },
  undecodableLines: { ...COUNT, description: 'Lines with bytes that are no characters of the encoding.' },
  aheadLines: { ...COUNT, description: 'Lines whose time is more than a day after the clock of the server.' },
  notes: {
    type: 'array',
    items: TEXT,
    description: 'Sentences about what collapsed, failed or was assumed, as the events report them.',
  },
};
/** Report of a read file. */
const FILE_REPORT = {
  files: { ...COUNT, description: 'Members of an archive that were read; otherwise 1.' },
  lines: { ...COUNT, description: 'With data.' },
  parsed: { ...COUNT, description: 'Lines that were read.' },
  records: { ...COUNT, description: 'That are stored: lines with at least one value, without `repeated`.' },
  series: COUNT,
  firstFailure: {
    type: ['string', 'null'],
    description: 'The first line or field that was not read, and why.',
    examples: ["line 12, column 3: 'x' cannot be read"],
  },
  ...READING_COUNTS,
};

export const previewParser = operation({
  id: 'previewParser',
  tag: 'Historic data',
  summary: 'Try a parser on the beginning of a file, or get one proposed',
  description:
    'For sources of class `source.data.TextParser`, and for a Workspace, Group or Location in which one is to be made; needs CONFIGURE, and stores nothing. The sample is read as `parser` says, in the zone of the source. Without `parser` one is proposed for TOA5, USGS RDB, delimited text and fixed columns; given to PUT /nodes/:id it reads the whole file.',
  withId: true,
  body: {
    type: 'object',
    properties: {
      parser: { allOf: [PARSER], description: 'As of the source; absent or null = one is proposed.' },
      propose: {
        type: 'boolean',
        description:
          'true: the columns are proposed anew, and what `parser` says beside them is kept, such as its delimiter.',
      },
      timezone: { ...TEXT, description: 'In the place of that of the source; absent: its own, of a place Etc/UTC.' },
      timezoneAdjustForDst: { type: 'boolean', description: 'With `timezone`; absent: false.' },
      sample: { ...TEXT, description: 'The beginning of the file, at most 1 MiB.' },
      sampleBase64: { ...TEXT, description: 'In the place of `sample`: its bytes, which may be packed with gzip.' },
    },
    examples: [{ sample: 'time,Level\n2024-01-01 00:00,1.5\n2024-01-01 00:10,1.6\n' }],
  },
  success: json(200, 'What was read.', {
    type: 'object',
    properties: {
      proposal: {
        type: ['object', 'null'],
        description: 'null: a parser was given.',
        properties: {
          parser: PARSER_SHOWN,
          layout: { enum: ['TOA5', 'USGS RDB', 'CSV', 'FIXED'] },
          timezone: {
            ...TEXT,
            description: 'For the source, where the label of the time names a zone, such as `Date Time, GMT-07:00`.',
            examples: ['Etc/GMT+7'],
          },
          timezoneAdjustForDst: { type: 'boolean', description: 'Comes with `timezone`: false.' },
          why: { ...TEXT, description: 'What it was taken from, for people.' },
        },
      },
      labels: {
        type: 'array',
        items: TEXT,
        description: 'Names of the columns of the file, also of those that are not read, the first 1000.',
      },
      columns: list({ index: COUNT, name: TEXT, units: TEXT, type: TEXT, series: TEXT }),
      rows: {
        ...list({
          line: COUNT,
          time: { type: ['string', 'null'], description: 'null: the line was not read.' },
          values: { type: 'object', additionalProperties: true, description: 'By the index of the column.' },
          failures: list({ column: { type: ['integer', 'null'] }, reason: TEXT }),
        }),
        description: 'The first 50 lines with data.',
      },
      report: {
        type: 'object',
        description: 'Of the whole sample.',
        properties: {
          lines: COUNT,
          parsed: COUNT,
          failed: COUNT,
          ...READING_COUNTS,
          brokenOff: { type: ['string', 'null'], description: 'Why it was not read to its end.' },
        },
      },
    },
  }),
  extension: true,
});

const IMPORT = {
  type: 'object',
  properties: {
    _id: TEXT,
    nodeId: TEXT,
    fileName: TEXT,
    state: { enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] },
    sizeBytes: COUNT,
    records: { ...COUNT, description: 'That the log has.' },
    recordsTotal: { type: ['integer', 'null'], description: 'null: not known yet.' },
    createdTime: TEXT,
    endedTime: { type: ['string', 'null'] },
    failure: { type: ['string', 'null'], description: 'Why it failed.' },
    report: {
      type: ['object', 'null'],
      properties: FILE_REPORT,
    },
  },
};
/** A single import names the lines that were not read; a list leaves them out. */
const IMPORT_WHOLE = {
  ...IMPORT,
  properties: {
    ...IMPORT.properties,
    refused: {
      type: ['object', 'null'],
      description: 'Lines of a text that were not read, and fields of lines; null: none, or it goes on.',
      properties: {
        count: { ...COUNT, description: 'All of them, also those that are not listed.' },
        lines: {
          ...list({
            line: COUNT,
            column: { type: ['integer', 'null'], description: 'From 1; null: the whole line.' },
            reason: TEXT,
            text: { ...TEXT, description: 'The line, at most 200 characters.' },
          }),
          description: 'The first 100.',
        },
      },
    },
  },
};
const IMPORT_ID = 'The `_id` of the import.';

export const importFile = operation({
  id: 'importFile',
  tag: 'Historic data',
  summary: 'Import a file',
  description:
    'On a data source, a parameter or a Location: delimited text or a JTS document of at most 250 MB, also packed. The file is kept from the answer on and imported whatever becomes of the servers; `GET /imports/:id` shows how far it is. Nothing is written of a file that cannot be read. Imports know the storage limit only, and raise and clear no dataAlarm.',
  withId: true,
  consumes: 'multipart/form-data',
  body: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file, with its name.' },
      writeMode: { ...TEXT, description: 'As of writes; MERGE_OVERWRITE_EXISTING when left out.' },
      notifyOn: { enum: ['ALL_NEWER', 'NONE'] },
      timezone: { ...TEXT, description: 'Of times without one; left out = that of the source, otherwise Etc/UTC.' },
      timezoneAdjustForDst: { enum: ['TRUE', 'FALSE'] },
      parser: {
        ...TEXT,
        description: 'JSON, as of a source; left out = that of the source, otherwise taken from the file.',
      },
      format: { enum: ['AUTO', ...IMPORT_FORMATS] },
      series: { ...TEXT, description: 'Of a text for a parameter or Location: which of its series.' },
      columnIndex: { ...TEXT, description: 'Of a JTS document for a parameter or Location, as of writes.' },
    },
  },
  success: json(202, 'The file is kept.', {
    type: 'object',
    properties: { status: { type: 'object', properties: { code: COUNT, message: TEXT } }, import: IMPORT_WHOLE },
  }),
  extension: true,
});

export const listImports = operation({
  id: 'listImports',
  tag: 'Historic data',
  summary: 'List the imports of the user',
  description: 'Those that go on, and those that ended within 7 days: at most 100.',
  success: json(200, 'The imports, newest first.', { type: 'array', items: IMPORT }),
  others: UNCHANGED,
  extension: true,
});

export const getImport = operation({
  id: 'getImport',
  tag: 'Historic data',
  summary: 'Get an import',
  description: 'Of its own user, until 7 days after its end.',
  withId: IMPORT_ID,
  success: json(200, 'The import.', IMPORT_WHOLE),
  others: UNCHANGED,
  extension: true,
});

export const cancelImport = operation({
  id: 'cancelImport',
  tag: 'Historic data',
  summary: 'Cancel an import',
  description: 'Records that are written stay. One that has ended stays as it is.',
  withId: IMPORT_ID,
  success: json(200, 'The import.', IMPORT_WHOLE),
  extension: true,
});

export const receiveFile = operation({
  id: 'receiveFile',
  tag: 'Historic data',
  summary: 'Hand a file to a data source of delimited text',
  description:
    'For sources of class `source.data.TextParser`: the file is read as `parser` says (or the entry of `files` that its name matches), in the zone of the source; without a `parser`, delimiter, header (also of TOA5 and USGS RDB), times and types are taken from the file. All lines that can be read are written in the `writeMode` of the source, as of the source itself (user System); parameters that are missing are made. The body is the file itself, of any media type, streamed, at most 100 MB. `.gz` and `.zip` are unpacked, at most 250 MB in all; each member of a `.zip` is matched by its own name, and is a file of its own. 202: the file is kept, and its records reach the log whatever becomes of the servers; `state` says whether they have already, which is waited for up to 20 s. 400, and no record written, when no line can be read. What cannot be read, and fewer lines than `parser.successRequired` percent, raise the dataAlarm of the source.',
  withId: true,
  query: FILE_HAND_OVER,
  consumes: 'text/csv',
  body: { type: 'string', description: 'The file.' },
  success: json(202, 'The file is kept.', {
    type: 'object',
    properties: {
      status: { type: 'object', properties: { code: COUNT, message: { type: 'string' } } },
      file: {
        type: 'object',
        properties: {
          state: {
            enum: ['PROCESSED', 'PROCESSING'],
            description: 'PROCESSED: its records are in the log. PROCESSING: they will be; there are no counts yet.',
          },
          ...FILE_REPORT,
        },
      },
    },
  }),
  extension: true,
});
