import { invalidAttribute, type JsonObject, type Rule } from '../body/rule.ts';
import { choice, FLAG, text, whole } from '../body/rules.ts';
import { type Attributes, SOURCE, TEXT_PARSER } from './attributes.ts';

const MAX_FILES = 10;

type File = { readonly match: string; readonly isRegex: boolean };

/** See docs/reference/acquisition.md#files-of-a-source. @param parser of an entry, where the source has one */
const files = (parser: Rule | undefined): Attributes => ({
  files: {
    default: [],
    rule: {
      kind: 'list',
      max: MAX_FILES,
      uniqueBy: '_id',
      item: {
        kind: 'checked',
        rule: {
          kind: 'object',
          fields: {
            _id: { rule: { kind: 'entryId' } },
            match: { required: true, rule: text(2000, 1) },
            isRegex: { rule: FLAG, default: false },
            ...(parser && { parser: { rule: parser } }),
            acquireTime: { rule: { kind: 'time' } },
            sampleId: {
              rule: { kind: 'nodeRef', classPrefix: 'Attachment', what: 'an attachment', dropBroken: true },
            },
          },
        },
        check: (file: File, at) => {
          if (!file.isRegex) return file;
          try {
            new RegExp(file.match, 'u');
          } catch {
            throw invalidAttribute(`${at}.match`, 'must be a regular expression');
          }
          return file;
        },
      },
    },
  },
  readMode: { default: 'NEW', rule: choice('NEW', 'ALL') },
  deleteAfterAcquire: { default: false, rule: FLAG },
});

/** Kinds of file sources (docs/reference/sources.md#kinds). A converter is a plug-in of the installation, named by its id. */
export const TEXT_PARSER_SOURCE: Attributes = { ...SOURCE, ...TEXT_PARSER, ...files(TEXT_PARSER.parser?.rule) };
export const JTS_SOURCE: Attributes = {
  ...SOURCE,
  ...files(undefined),
  lineSeries: {
    default: null,
    rule: {
      kind: 'text',
      max: 255,
      pattern: /^(?=.*\{field\})(?:[^{}]|\{[^{}]{1,100}\})*$/u,
      rule: 'must be a text with {field}, and with names of tags in braces, such as {site}/{sensor}/{field}',
    },
  },
};
export const CONVERTER: Attributes = { ...JTS_SOURCE, converterId: { default: null, rule: text(60, 1) } };

/**
 * docs/reference/sources.md#attributes, docs/reference/sources.md#data-loggers: sessions with loggers are repeated sooner
 * than downloads of files.
 */
export const LOGGER: Attributes = {
  ...SOURCE,
  retryDelaySeconds: { default: 60, rule: whole(10, 86_400) },
  autoParameters: { default: true, rule: FLAG },
};

export const PAK_BUS: Attributes = {
  ...LOGGER,
  pakBusAddress: { default: 1, rule: whole(1, 4094) },
  pakBusGatewayAddress: { default: null, rule: whole(1, 4094) },
  securityCode: {
    default: null,
    rule: { kind: 'secret', max: 5, pattern: /^\d{1,5}$/, rule: 'must be a text of 1 to 5 digits' },
  },
  encryptionKey: { default: null, rule: { kind: 'secret', max: 255 } },
  tcpPassword: { default: null, rule: { kind: 'secret', max: 255 } },
  // The tables are collected once more from this time on.
  acquireTime: { default: null, rule: { kind: 'time' } },
};

const MAX_REGISTERS = 500;

/** See docs/reference/sources.md#modbus. */
export const MODBUS: Attributes = {
  ...SOURCE,
  retryDelaySeconds: LOGGER.retryDelaySeconds!,
  unitId: { default: 1, rule: whole(0, 255) },
  registers: {
    default: [],
    rule: {
      kind: 'list',
      max: MAX_REGISTERS,
      uniqueBy: 'series',
      item: {
        kind: 'checked',
        rule: {
          kind: 'object',
          fields: {
            series: { required: true, rule: text(255, 1) },
            table: { rule: choice('HOLDING', 'INPUT', 'COIL', 'DISCRETE'), default: 'HOLDING' },
            address: { required: true, rule: whole(0, 65_535) },
            type: {
              rule: choice('BOOLEAN', 'UINT16', 'INT16', 'UINT32', 'INT32', 'UINT64', 'INT64', 'FLOAT32', 'FLOAT64'),
            },
            wordOrder: { rule: choice('BIG', 'LITTLE'), default: 'BIG' },
            units: { rule: text(60) },
          },
        },
        check: (register: Register, at) => withType(register, at),
      },
    },
  },
};

type Register = { readonly table: string; readonly address: number; readonly type?: string };

const REGISTERS_OF: Readonly<Record<string, number>> = {
  UINT32: 2,
  INT32: 2,
  FLOAT32: 2,
  UINT64: 4,
  INT64: 4,
  FLOAT64: 4,
};

/** Coils and discrete inputs are single bits; registers are 16 bits wide, and a wide value must end before the last one. */
function withType(register: Register, at: string): Register {
  const isBit = register.table === 'COIL' || register.table === 'DISCRETE';
  const type = register.type ?? (isBit ? 'BOOLEAN' : 'UINT16');
  if (isBit && type !== 'BOOLEAN')
    throw invalidAttribute(`${at}.type`, 'must be BOOLEAN for coils and discrete inputs');
  if (register.address + (REGISTERS_OF[type] ?? 1) > 65_536)
    throw invalidAttribute(`${at}.address`, 'must leave room for the whole value before register 65 536');
  return { ...register, type };
}

/** docs/reference/processing-and-ratings.md#process-nodes: a processor runs by its inputs or by its schedule. */
export const PROCESSOR_SOURCE: Attributes = Object.fromEntries(
  [
    'isEnabled',
    'scheduleType',
    'intervalSeconds',
    'intervalOffsetSeconds',
    'timezone',
    'timezoneAdjustForDst',
    'quietMaxSeconds',
  ]
    .map((name) => [name, SOURCE[name]!] as const)
    .map(([name, attribute]) =>
      name === 'scheduleType' ? [name, { ...attribute, rule: choice('NONE', 'SERVER') }] : [name, attribute],
    ),
);

/** See docs/reference/node-tree.md#attributes-of-classes, docs/reference/sources.md#attributes. */
export const ATTACHMENT_SOURCE: Attributes = {
  ...SOURCE,
  maxAttachments: { default: 10, rule: whole(1, 100) },
  removeAfterDays: { default: null, rule: whole(1, 3650) },
  fileTypes: {
    default: [],
    rule: {
      kind: 'list',
      max: 50,
      item: {
        kind: 'text',
        min: 1,
        max: 20,
        pattern: /^[a-z0-9]+$/i,
        rule: 'must be the extension of a file name such as jpg',
      },
    },
  },
};

/** A processor that runs by its schedule has one. @throws DomainError invalid_argument */
export function checkProcessor(config: JsonObject): void {
  const process = config.process as { runMode?: unknown } | undefined;
  if (process?.runMode === 'SCHEDULE' && (config.scheduleType ?? 'NONE') === 'NONE')
    throw invalidAttribute('scheduleType', 'must be SERVER when process.runMode is SCHEDULE');
}
