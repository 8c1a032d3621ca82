import {
  type Fields,
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  type Rule,
  type RuleContext,
} from '../body/rule.ts';
import { choice, FLAG, HEX_COLOUR, lines, text, whole } from '../body/rules.ts';
import type { Attributes } from './attributes.ts';
import { ANY_NODE, type Link, linkTo } from './page-links.ts';

const MAX_LINKS = 100;
const MAX_ELEMENTS = 500;
/** A template is shown with its report in lists: it stays a page of settings, not a store of text. */
const MAX_TEMPLATE_BYTES = 256 * 1024;
/** The length is in points; the longest sheet has about 1.4 m. */
const LENGTH: Rule = { kind: 'number', min: 0, max: 4000 };
const CONTENT = lines(10_000);
const STYLE_ID = text(60, 1);

const STYLE: Fields = {
  bold: { rule: FLAG },
  italic: { rule: FLAG },
  underline: { rule: FLAG },
  strikethrough: { rule: FLAG },
  alignment: { rule: choice('LEFT', 'CENTER', 'RIGHT', 'JUSTIFY') },
  verticalAlignment: { rule: choice('TOP', 'MIDDLE', 'BOTTOM') },
  color: { rule: HEX_COLOUR },
  background: { rule: HEX_COLOUR },
  font: { rule: choice('Helvetica', 'Courier', 'Times') },
  fontSize: { rule: { kind: 'number', min: 1, max: 200 } },
  lineSpacing: { rule: { kind: 'number', min: 0.5, max: 5 } },
  borderSides: { rule: { kind: 'list', max: 4, item: choice('TOP', 'RIGHT', 'BOTTOM', 'LEFT') } },
  borderColor: { rule: HEX_COLOUR },
  borderWidth: { rule: { kind: 'number', min: 0, max: 100 } },
  padding: { rule: { kind: 'number', min: 0, max: 500 } },
};

const CELL: Rule = {
  kind: 'object',
  fields: {
    content: { rule: CONTENT, default: '' },
    colspan: { rule: whole(1, 50), default: 1 },
    styleId: { rule: STYLE_ID },
  },
};
const ROW: Rule = { kind: 'list', max: 50, item: CELL };

const ELEMENT: Fields = {
  _id: { rule: { kind: 'entryId' } },
  type: { required: true, rule: choice('TEXT', 'LINE', 'PAGE_BREAK', 'IMAGE', 'BARCODE', 'TABLE') },
  area: { rule: choice('HEADER', 'CONTENT', 'FOOTER'), default: 'CONTENT' },
  x: { required: true, rule: LENGTH },
  y: { required: true, rule: LENGTH },
  width: { rule: LENGTH, default: 0 },
  height: { rule: LENGTH, default: 0 },
  styleId: { rule: STYLE_ID },
  style: { rule: { kind: 'object', fields: STYLE } },
  conditionalStyle: {
    rule: {
      kind: 'object',
      fields: { condition: { required: true, rule: lines(1000, 1) }, styleId: { required: true, rule: STYLE_ID } },
    },
  },
  keepTogether: { rule: FLAG, default: false },
  link: { rule: text(2000) },
  printIf: { rule: lines(1000) },
  content: { rule: CONTENT },
  lineColor: { rule: HEX_COLOUR },
  lineWidth: { rule: { kind: 'number', min: 0, max: 100 } },
  source: { rule: text(2000, 1) },
  columns: {
    rule: {
      kind: 'list',
      min: 1,
      max: 50,
      item: { kind: 'object', fields: { width: { rule: LENGTH, default: 100 } } },
    },
  },
  headerRow: { rule: ROW },
  rows: { rule: { kind: 'list', max: 200, item: ROW } },
  footerRow: { rule: ROW },
};

/** Required attributes by element type. */
const NEEDED: Readonly<Record<string, readonly string[] | undefined>> = {
  TEXT: ['content'],
  BARCODE: ['content'],
  IMAGE: ['source'],
  TABLE: ['columns'],
};

const checked = (fields: Fields): Rule => ({
  kind: 'checked',
  rule: { kind: 'object', fields },
  check: (element: JsonObject, at) => {
    for (const name of NEEDED[String(element.type)] ?? [])
      if (element[name] === undefined)
        throw invalidAttribute(`${at}.${name}`, `is required of an element of type ${element.type}`);
    if (element.elements !== undefined && element.type !== 'FRAME')
      throw invalidAttribute(`${at}.elements`, 'is for elements of type FRAME');
    return element;
  },
});

/** A frame holds elements, but no further frames. */
const ELEMENTS: Rule = {
  kind: 'list',
  max: MAX_ELEMENTS,
  uniqueBy: '_id',
  item: checked({
    ...ELEMENT,
    type: {
      required: true,
      rule: choice('TEXT', 'LINE', 'FRAME', 'PAGE_BREAK', 'IMAGE', 'BARCODE', 'TABLE'),
    },
    elements: { rule: { kind: 'list', max: MAX_ELEMENTS, uniqueBy: '_id', item: checked(ELEMENT) } },
  }),
};

const BAND: Rule = {
  kind: 'object',
  fields: {
    enabled: { rule: FLAG, default: true },
    size: { rule: LENGTH, default: 80 },
    display: { rule: choice('ALWAYS', 'NOT_FIRST_PAGE'), default: 'ALWAYS' },
  },
};
const BAND_DEFAULT = { enabled: true, size: 80, display: 'ALWAYS' };
const MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };

const TEMPLATE: Rule = {
  kind: 'checked',
  rule: {
    kind: 'object',
    fields: {
      pageFormat: { rule: choice('A3', 'A4', 'A5', 'LETTER', 'CUSTOM'), default: 'A4' },
      width: { rule: { kind: 'number', min: 50, max: 4000 } },
      height: { rule: { kind: 'number', min: 50, max: 4000 } },
      orientation: { rule: choice('PORTRAIT', 'LANDSCAPE'), default: 'PORTRAIT' },
      margins: {
        default: MARGINS,
        rule: {
          kind: 'object',
          fields: Object.fromEntries(Object.keys(MARGINS).map((side) => [side, { rule: LENGTH, default: 0 }])),
        },
      },
      header: { rule: BAND, default: BAND_DEFAULT },
      footer: { rule: BAND, default: BAND_DEFAULT },
      styles: {
        default: [],
        rule: {
          kind: 'list',
          max: 100,
          uniqueBy: '_id',
          item: { kind: 'object', fields: { _id: { required: true, rule: STYLE_ID }, ...STYLE } },
        },
      },
      elements: { rule: ELEMENTS, default: [] },
    },
  },
  check: (template: Template, at) => {
    if (template.pageFormat === 'CUSTOM')
      for (const name of ['width', 'height'] as const)
        if (template[name] === undefined)
          throw invalidAttribute(`${at}.${name}`, 'is required when pageFormat is CUSTOM');
    const known = new Set(template.styles.map(({ _id }) => _id));
    checkStyles(template.elements, `${at}.elements`, known);
    if (Buffer.byteLength(JSON.stringify(template)) > MAX_TEMPLATE_BYTES)
      throw invalidAttribute(at, `must be at most ${MAX_TEMPLATE_BYTES} bytes of JSON`);
    return template;
  },
};

type Template = {
  readonly pageFormat: string;
  readonly width?: number;
  readonly height?: number;
  readonly styles: readonly { readonly _id: string }[];
  readonly elements: readonly JsonObject[];
};

/** Every `styleId` names a style of the template. */
function checkStyles(value: unknown, at: string, known: ReadonlySet<string>): void {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) checkStyles(item, `${at}[${i}]`, known);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'styleId' && !known.has(String(inner)))
      throw invalidAttribute(`${at}.styleId`, 'must be the _id of a style of the template');
    checkStyles(inner, `${at}.${name}`, known);
  }
}

const LINK_NAME: Rule = {
  kind: 'text',
  min: 1,
  max: 120,
  pattern: /^[A-Za-z0-9_]+$/,
  rule: 'must have letters, digits and _ only',
};

/**
 * Links are distinguished in the template by name (docs/reference/dashboards-and-reports.md#report): those without one get it
 * from their node.
 */
const LINKS: Rule = {
  kind: 'checked',
  rule: {
    kind: 'list',
    max: MAX_LINKS,
    item: {
      kind: 'object',
      fields: { nodeId: { required: true, rule: linkTo(ANY_NODE) }, name: { rule: LINK_NAME } },
    },
  },
  check: (links: readonly Link[], at, context) => named(links, at, context),
};

function named(links: readonly Link[], at: string, context: RuleContext): Link[] {
  const taken = new Set<string>();
  for (const [i, { name }] of links.entries()) {
    if (name === undefined) continue;
    if (taken.has(name)) throw invalidAttribute(`${at}[${i}].name`, 'must be unique in the list');
    taken.add(name);
  }
  return links.map((link) => {
    if (link.name !== undefined) return link;
    const plain = (context.findNode(link.nodeId)?.name ?? '').replaceAll(' ', '_').replaceAll(/[^A-Za-z0-9_]/g, '');
    const base = plain || 'link';
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}${n}`;
    taken.add(name);
    return { ...link, name };
  });
}

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
/** See docs/reference/dashboards-and-reports.md#schedules. */
export type ReportSchedule = {
  readonly enabled: boolean;
  readonly type: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  readonly days: readonly (string | number)[];
  /** `HH:mm` */
  readonly time: string;
};

const SCHEDULE: Rule = {
  kind: 'checked',
  rule: {
    kind: 'object',
    fields: {
      enabled: { rule: FLAG, default: true },
      type: { required: true, rule: choice('DAILY', 'WEEKLY', 'MONTHLY') },
      days: {
        default: [],
        rule: {
          kind: 'list',
          max: 31,
          item: {
            kind: 'anyOf',
            rules: [choice(...WEEKDAYS), whole(1, 31)],
            rule: `must be one of ${WEEKDAYS.join(', ')} (WEEKLY) or a day from 1 to 31 (MONTHLY)`,
          },
        },
      },
      time: {
        required: true,
        rule: { kind: 'text', max: 5, pattern: /^([01]\d|2[0-3]):[0-5]\d$/, rule: 'must be a time such as 06:30' },
      },
    },
  },
  check: (schedule: ReportSchedule, at) => {
    const { type, days } = schedule;
    const fits = (day: string | number) => typeof day === (type === 'WEEKLY' ? 'string' : 'number');
    if (type === 'DAILY' ? days.length > 0 : days.length === 0 || !days.every(fits))
      throw invalidAttribute(
        `${at}.days`,
        { DAILY: 'must be empty', WEEKLY: 'must be days from MON to SUN', MONTHLY: 'must be days from 1 to 31' }[type]!,
      );
    if (new Set(days).size < days.length) throw invalidAttribute(`${at}.days`, 'must not have a day twice');
    return schedule;
  },
};

/** See docs/reference/dashboards-and-reports.md#report. */
export const REPORT: Attributes = {
  description: { default: '', rule: lines(500) },
  template: {
    default: {
      pageFormat: 'A4',
      orientation: 'PORTRAIT',
      margins: MARGINS,
      header: BAND_DEFAULT,
      footer: BAND_DEFAULT,
      styles: [],
      elements: [],
    },
    rule: TEMPLATE,
  },
  links: { default: [], rule: LINKS },
  schedule: { default: null, rule: SCHEDULE },
  timezone: { default: 'Etc/UTC', rule: { kind: 'zone' } },
  timezoneAdjustForDst: { default: true, rule: FLAG },
};
