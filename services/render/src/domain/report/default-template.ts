import type { Given } from '../chart-node.ts';

/** A report without its own template is about these. */
export type Subject = {
  readonly links: readonly { readonly class: string; readonly object: Given; readonly pictureNodeId: string }[];
  readonly above: Readonly<Record<'LOCATION' | 'WORKSPACE', Given | null>>;
};

const PAGE = { width: 595, margin: 48 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
/** More would be a book; a template of one's own has as many as it likes. */
const MAX_CHARTS = 12;
const CHART_HEIGHT = 208;
const INK = '#1f2933';
const FAINT = '#66727f';
const RULE = '#c9d1d9';
const ACCENT = '#0b5c8a';

const STYLES = [
  { _id: 'title', bold: true, fontSize: 22, color: INK },
  { _id: 'section', bold: true, fontSize: 13, color: ACCENT },
  { _id: 'body', fontSize: 9.5, color: INK },
  { _id: 'faint', fontSize: 9, color: FAINT },
  { _id: 'faintRight', fontSize: 9, color: FAINT, alignment: 'RIGHT' },
  { _id: 'cell', fontSize: 9, color: INK, padding: 4, borderSides: ['BOTTOM'], borderColor: RULE, borderWidth: 0.5 },
  {
    _id: 'number',
    fontSize: 9,
    color: INK,
    padding: 4,
    alignment: 'RIGHT',
    borderSides: ['BOTTOM'],
    borderColor: RULE,
    borderWidth: 0.5,
  },
  {
    _id: 'alarm',
    fontSize: 9,
    bold: true,
    color: '#b42318',
    padding: 4,
    borderSides: ['BOTTOM'],
    borderColor: RULE,
    borderWidth: 0.5,
  },
  {
    _id: 'head',
    fontSize: 8.5,
    bold: true,
    color: FAINT,
    padding: 4,
    borderSides: ['BOTTOM'],
    borderColor: INK,
    borderWidth: 0.8,
  },
  {
    _id: 'headRight',
    fontSize: 8.5,
    bold: true,
    color: FAINT,
    padding: 4,
    alignment: 'RIGHT',
    borderSides: ['BOTTOM'],
    borderColor: INK,
    borderWidth: 0.8,
  },
  { _id: 'caption', fontSize: 10, bold: false, color: INK },
];

/**
 * The template of a report that has none: the values, the alarms and charts of its links, which are the parameters below its Location
 * where it has none either (docs/reference/dashboards-and-reports.md#default-template).
 */
export function defaultTemplate({ links, above }: Subject): Given {
  const at = (index: number) => `report_links[${index}]`;
  const all = links.map((link, index) => ({ ...link, name: at(index) }));
  const parameters = all.filter(({ class: name }) => name.startsWith('point.'));
  const charts = all.filter(({ class: name, object }) => isDrawn(name, object)).slice(0, MAX_CHARTS);
  const pictures = all
    .filter(({ class: name, pictureNodeId }) => pictureNodeId !== '' && !name.startsWith('point.'))
    .slice(0, MAX_CHARTS);
  const flow = new Flow();
  flow.text('title', '{{ THIS.name }}', 28);
  const place = above.LOCATION ? 'LOCATION' : 'WORKSPACE';
  if (above[place]) flow.text('body', `{{ ${place}._path }}`, 14);
  if (isPlace(above.LOCATION)) flow.text('faint', '{{ LOCATION.currentValueFormatted }}', 14);
  flow.text('faint', "As of {{ report_time | time: 'YYYY-MM-DD HH:mm' }}", 14);
  flow.gap(14);
  if (parameters.length > 0) {
    flow.text('section', 'Current values', 20);
    flow.table([168, 96, 60, 85, 90], HEADS, parameters.map(valueRow));
    flow.gap(18);
  }
  if (all.some(({ object }) => object.alarms)) {
    const rows = all.flatMap(alarmRows);
    flow.text('section', 'Alarms', 20);
    if (rows.length === 0) flow.text('body', 'No alarm is active.', 14);
    else flow.table([120, 80, 80, 90, 129], ALARM_HEADS, rows);
    flow.gap(18);
  }
  const framed = [...charts, ...pictures.filter((picture) => !charts.includes(picture))];
  for (const [index, { name, class: className }] of framed.entries())
    flow.framed(index === 0 ? 'Charts' : '', caption(name, className), `{{ ${name}.image }}`);
  return {
    pageFormat: 'A4',
    margins: { top: 30, right: PAGE.margin, bottom: 26, left: PAGE.margin },
    header: { enabled: true, size: 34, display: 'ALWAYS' },
    footer: { enabled: true, size: 30, display: 'ALWAYS' },
    styles: STYLES,
    elements: [...BANDS, ...flow.elements],
  };
}

const isDrawn = (name: string, { currentTime }: Given): boolean =>
  name.startsWith('chart.') ||
  ((name.startsWith('point.Number') || name.startsWith('point.Text')) && currentTime !== undefined);

const isPlace = (location: Given | null): boolean => Array.isArray(location?.currentValue);

const caption = (name: string, className: string): string =>
  className.startsWith('point.')
    ? `{{ ${name}.name }}{% if ${name}.units %} ({{ ${name}.units }}){% endif %} · the last seven days`
    : `{{ ${name}.name }}`;

const BANDS = [
  {
    type: 'TEXT',
    area: 'HEADER',
    x: 0,
    y: 0,
    width: WIDTH / 2,
    height: 14,
    content: '{{ account_name }}',
    styleId: 'faint',
  },
  {
    type: 'TEXT',
    area: 'HEADER',
    x: WIDTH / 2,
    y: 0,
    width: WIDTH / 2,
    height: 14,
    styleId: 'faintRight',
    content: '{{ THIS.name }}',
  },
  { type: 'LINE', area: 'HEADER', x: 0, y: 18, width: WIDTH, height: 0, lineColor: RULE, lineWidth: 0.5 },
  { type: 'LINE', area: 'FOOTER', x: 0, y: 10, width: WIDTH, height: 0, lineColor: RULE, lineWidth: 0.5 },
  {
    type: 'TEXT',
    area: 'FOOTER',
    x: 0,
    y: 15,
    width: WIDTH / 2,
    height: 14,
    styleId: 'faint',
    content: "{{ report_time | time: 'YYYY-MM-DD HH:mm' }}",
  },
  {
    type: 'TEXT',
    area: 'FOOTER',
    x: WIDTH / 2,
    y: 15,
    width: WIDTH / 2,
    height: 14,
    styleId: 'faintRight',
    content: 'Page {{ page_number }} of {{ page_count }}',
  },
];

const HEADS = [
  { content: 'Parameter', styleId: 'head' },
  { content: 'Value', styleId: 'headRight' },
  { content: 'Units', styleId: 'head' },
  { content: 'State', styleId: 'head' },
  { content: 'Time', styleId: 'head' },
];
const ALARM_HEADS = ['Parameter', 'Alarm', 'Status', 'Since', 'Message'].map((content) => ({
  content,
  styleId: 'head',
}));

function valueRow({ name, object }: { readonly name: string; readonly object: Given }) {
  const states = Array.isArray(object.states) ? (object.states as readonly Given[]) : [];
  const isAlarm = states.some(({ _id, isAlarm: is }) => _id === object.currentStateId && is === true);
  return [
    { content: `{{ ${name}.name }}`, styleId: 'cell' },
    { content: `{{ ${name}.currentValueFormatted | default: '–' }}`, styleId: 'number' },
    { content: `{{ ${name}.units }}`, styleId: 'cell' },
    { content: `{{ ${name}.currentStateName }}`, styleId: isAlarm ? 'alarm' : 'cell' },
    { content: timeOf(`${name}.currentTime`), styleId: 'cell' },
  ];
}

function alarmRows({ name, object }: { readonly name: string; readonly object: Given }) {
  const alarms = (object.alarms ?? {}) as Readonly<Record<string, { readonly status?: Given }>>;
  return Object.entries(alarms).flatMap(([type, { status }]) => {
    if (!status || status.alarmState === 'CLEARED') return [];
    const statusPath = `${name}.alarms.${type}.status`;
    return [
      [
        { content: `{{ ${name}.name }}`, styleId: 'cell' },
        { content: type.replace(/Alarm$/, ''), styleId: 'cell' },
        {
          content: `{{ ${statusPath}.alarmState | downcase }}`,
          styleId: status.alarmState === 'ACTIVE' ? 'alarm' : 'cell',
        },
        { content: timeOf(`${statusPath}.activeTime`), styleId: 'cell' },
        { content: `{{ ${statusPath}.message }}`, styleId: 'cell' },
      ],
    ];
  });
}

const timeOf = (name: string): string => `{% if ${name} %}{{ ${name} | time: 'YYYY-MM-DD HH:mm' }}{% endif %}`;

/** Elements one below the other. */
class Flow {
  readonly elements: Given[] = [];
  #y = 0;

  gap(height: number): void {
    this.#y += height;
  }

  text(styleId: string, content: string, height: number): void {
    this.elements.push({ type: 'TEXT', x: 0, y: this.#y, width: WIDTH, height, content, styleId });
    this.#y += height;
  }

  table(columns: readonly number[], headerRow: readonly Given[], rows: readonly (readonly Given[])[]): void {
    const widths = columns.map((width) => ({ width }));
    this.elements.push({
      type: 'TABLE',
      x: 0,
      y: this.#y,
      width: WIDTH,
      columns: widths,
      headerRow,
      rows,
      styleId: 'cell',
    });
    this.#y += 1;
  }

  /** Makes a picture with what it shows above it; both stay on one page. */
  framed(section: string, content: string, source: string): void {
    const top = section === '' ? 0 : 22;
    const height = top + 18 + CHART_HEIGHT;
    this.elements.push({
      type: 'FRAME',
      x: 0,
      y: this.#y,
      width: WIDTH,
      height,
      lineWidth: 0,
      elements: [
        ...(section === ''
          ? []
          : [{ type: 'TEXT', x: 0, y: 0, width: WIDTH, height: 20, content: section, styleId: 'section' }]),
        { type: 'TEXT', x: 0, y: top, width: WIDTH, height: 14, content, styleId: 'caption' },
        { type: 'IMAGE', x: 0, y: top + 17, width: WIDTH, height: CHART_HEIGHT, source },
      ],
    });
    this.#y += height + 14;
  }
}
