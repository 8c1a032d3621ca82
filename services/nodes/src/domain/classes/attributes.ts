import { checkParser, type ParserSettings } from '@catchment/delimited-text';
import { equationProblem } from '@catchment/equation';
import { DomainError, invalid } from '@catchment/errors';
import type { ClassNames } from '../body/class-names.ts';
import { invalidAttribute, type Rule } from '../body/rule.ts';
import { CODE, HEX_COLOUR } from '../body/rules.ts';
import { readOverrides } from './overrides.ts';
import { checkParserFits } from './parser-fit.ts';

/** A body may set this attribute of a class. `null` in a body resets it to the default. */
export type Attribute = {
  readonly rule: Rule;
  /** Shown while the node has no value of its own; null = left out. */
  readonly default: unknown;
  /** Returns the shown form of a value that is stored in another form; never called with null. */
  readonly view?: (stored: never, names: ClassNames) => unknown;
};

export type Attributes = Readonly<Record<string, Attribute>>;

const TRUE_FALSE: Rule = { kind: 'boolean' };
const whole = (min: number, max: number): Rule => ({ kind: 'integer', min, max });
const text = (max: number): Rule => ({ kind: 'text', max });
const choice = (...of: readonly string[]): Rule => ({ kind: 'choice', of });

/** See docs/reference/sources.md#attributes. */
const INTERVALS_SECONDS = [
  60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 86_400, 604_800,
] as const;

/** See docs/reference/node-tree.md#common-attributes; every class has it. */
export const METADATA: Attributes = {
  metadata: {
    default: [],
    rule: {
      kind: 'list',
      max: 100,
      uniqueBy: 'name',
      item: {
        kind: 'object',
        fields: {
          name: { required: true, rule: { kind: 'text', min: 1, max: 120 } },
          value: {
            required: true,
            rule: {
              kind: 'anyOf',
              rules: [{ kind: 'text', max: 1000, lines: true }, { kind: 'number' }],
              rule: 'must be a text of at most 1000 characters or a finite number',
            },
          },
        },
      },
    },
  },
};

/** See docs/reference/templates.md#locked-attributes; every class that a template may hold has it. */
export const OVERRIDES: Attributes = {
  overrides: {
    default: null,
    rule: {
      kind: 'checked',
      rule: { kind: 'list', max: 100, item: { kind: 'text', min: 1, max: 60 } },
      check: readOverrides,
    },
  },
};

/** See docs/reference/node-tree.md#attributes-of-classes. */
export const WORKSPACE: Attributes = {
  sharedCode: { default: null, rule: CODE },
  mapLayers: {
    default: [],
    rule: {
      kind: 'list',
      max: 10,
      item: {
        kind: 'object',
        fields: {
          label: { required: true, rule: { kind: 'text', min: 1, max: 120 } },
          type: { required: true, rule: choice('LOCAL', 'REMOTE') },
          attachmentId: {
            rule: { kind: 'nodeRef', classPrefix: 'Attachment', what: 'an attachment', dropBroken: true },
          },
          url: {
            rule: { kind: 'text', max: 2000, pattern: /^https?:\/\/\S+$/, rule: 'must be an http or https address' },
          },
        },
      },
    },
  },
};

/** See docs/reference/node-tree.md#attributes-of-classes. */
export const ATTACHMENT: Attributes = { description: { default: '', rule: { kind: 'text', max: 500, lines: true } } };

/** See docs/reference/node-tree.md#attributes-of-classes. */
export const LOCATION: Attributes = {
  displayType: { default: 'VALUE', rule: choice('VALUE') },
  coordinateSourceId: {
    default: null,
    rule: { kind: 'nodeRef', classPrefix: 'source.data.', what: 'a data source', dropBroken: true },
  },
  coordinateSeries: {
    default: null,
    rule: {
      kind: 'object',
      fields: {
        latitude: { required: true, rule: { kind: 'text', min: 1, max: 255 } },
        longitude: { required: true, rule: { kind: 'text', min: 1, max: 255 } },
      },
    },
  },
  imageSourceId: {
    default: null,
    rule: { kind: 'nodeRef', classPrefix: 'source.attachment.', what: 'an attachment source', dropBroken: true },
  },
  imageAttachmentId: {
    default: null,
    rule: { kind: 'nodeRef', classPrefix: 'Attachment', what: 'an attachment', dropBroken: true },
  },
  marker: {
    default: null,
    rule: {
      kind: 'object',
      fields: { color: { rule: HEX_COLOUR }, icon: { rule: { kind: 'text', min: 1, max: 60 } } },
    },
  },
};

/** docs/reference/sources.md#attributes says what every data source has. */
export const SOURCE: Attributes = {
  isEnabled: { default: true, rule: TRUE_FALSE },
  scheduleType: { default: 'NONE', rule: choice('NONE', 'SERVER', 'REMOTE') },
  intervalSeconds: { default: 3600, rule: { kind: 'choiceOfIntegers', of: INTERVALS_SECONDS } },
  intervalOffsetSeconds: { default: -1, rule: whole(-1, 604_799) },
  timezone: { default: 'Etc/UTC', rule: { kind: 'zone' } },
  timezoneAdjustForDst: { default: false, rule: TRUE_FALSE },
  quietMaxSeconds: { default: 86_400, rule: whole(120, 31_536_000) },
  writeMode: {
    default: 'MERGE_OVERWRITE_EXISTING',
    rule: choice('MERGE_OVERWRITE_EXISTING', 'MERGE_PRESERVE_EXISTING', 'INSERT_DELETE_EXISTING'),
  },
  retryAttempts: { default: 3, rule: whole(0, 10) },
  retryDelaySeconds: { default: 900, rule: whole(10, 86_400) },
  clockSync: { default: false, rule: TRUE_FALSE },
  initialCollection: {
    default: 'ALL',
    rule: { kind: 'anyOf', rules: [choice('ALL'), { kind: 'time' }], rule: 'must be ALL or an ISO 8601 timestamp' },
  },
};

const JOINS: Rule = {
  kind: 'list',
  max: 20,
  item: {
    kind: 'object',
    fields: {
      column: { rule: whole(0, 10_000) },
      field: {
        required: true,
        rule: choice('NUMBER', 'TEXT', 'BOOLEAN', 'TIME', 'LATITUDE', 'LONGITUDE', 'QUALITY', 'SEPARATOR', 'TIMEZONE'),
      },
      format: { rule: text(255) },
      filter: { rule: choice('INCLUDE_RECORD', 'EXCLUDE_RECORD', 'INCLUDE_FIELD', 'EXCLUDE_FIELD') },
    },
  },
};

/** See docs/reference/acquisition.md#text-parser. Absent fields have the defaults given there. */
export const PARSER: Rule = {
  kind: 'checked',
  check: (parser: ParserSettings, at) => {
    try {
      checkParser(parser);
      checkParserFits(parser);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw invalid('INVALID_PARSER', `${at}.${error.message.replace(/^parser\./, '')}`);
    }
    return parser;
  },
  rule: {
    kind: 'object',
    fields: {
      delimiter: { rule: { kind: 'text', min: 1, max: 9, lines: true } },
      format: { rule: choice('COLUMN', 'ROW') },
      labelsRow: { rule: whole(1, 10_000) },
      unitsRow: { rule: whole(1, 10_000) },
      dataRow: { rule: whole(1, 10_000) },
      columnWidths: { rule: { kind: 'list', max: 1000, item: whole(1, 10_000) } },
      decimalSeparator: { rule: choice('.', ',') },
      textQualifier: { rule: text(1) },
      encoding: { rule: choice('UTF-8', 'ISO-8859-1', 'windows-1252', 'UTF-16LE', 'UTF-16BE') },
      match: { rule: choice('SMART', 'STRICT') },
      successRequired: { rule: { kind: 'number', min: 0, max: 100 } },
      missing: { rule: { kind: 'list', max: 50, item: { kind: 'text', min: 1, max: 100 } } },
      columns: {
        rule: {
          kind: 'list',
          max: 1000,
          item: {
            kind: 'object',
            fields: {
              index: { required: true, rule: whole(0, 10_000) },
              type: {
                required: true,
                rule: choice(
                  'NUMBER',
                  'BOOLEAN',
                  'TEXT',
                  'TIME',
                  'COORDINATES',
                  'RECORD_TIME',
                  'DISABLED',
                  'SERIES_ID',
                  'VALUE',
                ),
              },
              series: { rule: text(255) },
              joins: { rule: JOINS },
            },
          },
        },
      },
      rowSeries: {
        rule: {
          kind: 'list',
          max: 1000,
          uniqueBy: 'seriesId',
          item: {
            kind: 'object',
            fields: {
              seriesId: { required: true, rule: { kind: 'text', min: 1, max: 255 } },
              type: { required: true, rule: choice('NUMBER', 'BOOLEAN', 'TEXT', 'TIME', 'COORDINATES') },
              joins: { rule: JOINS },
            },
          },
        },
      },
    },
  },
};
export const TEXT_PARSER: Attributes = { parser: { default: null, rule: PARSER } };

/** Key that historic writes match (docs/reference/writing.md#data-source-writes). */
const SERIES: Attributes = { series: { default: null, rule: { kind: 'text', min: 1, max: 255 } } };

/** See docs/reference/parameters.md#attributes. */
const SHOWN: Attributes = { units: { default: '', rule: text(30) } };

export const NUMBER_POINT: Attributes = {
  displayType: { default: 'VALUE', rule: choice('VALUE', 'STATE') },
  multiplier: { default: 1, rule: { kind: 'number' } },
  offset: { default: 0, rule: { kind: 'number' } },
  equation: {
    default: null,
    rule: {
      kind: 'checked',
      rule: { kind: 'text', min: 1, max: 1_000 },
      check: (equation: string, at) => {
        const problem = equationProblem(equation);
        if (problem) throw invalidAttribute(at, problem);
        return equation;
      },
    },
  },
  isDirection: { default: false, rule: TRUE_FALSE },
  ...SHOWN,
  format: { default: '0.###', rule: text(60) },
  ...SERIES,
};

export const TEXT_POINT: Attributes = {
  displayType: { default: 'VALUE', rule: choice('VALUE', 'STATE') },
  ...SHOWN,
  format: { default: null, rule: text(60) },
  ...SERIES,
};

export const TIME_POINT: Attributes = {
  displayType: { default: 'VALUE', rule: choice('VALUE') },
  ...SHOWN,
  format: { default: null, rule: text(60) },
  ...SERIES,
};

/** Updatable attributes that are no settings: read apart from them (control-value.ts), and refused on classes without. */
export const ATTRIBUTES_OF_OTHER_CLASSES: readonly string[] = ['controlValue'];
