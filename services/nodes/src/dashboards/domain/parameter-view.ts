import { type ParameterView, paletteColor, type SeriesView } from '@catchment/dashboard-view';
import { decimalsOf, parseNumberPattern } from '@catchment/number-format';
import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, displayTypeOf, statesOf } from '../../domain/classes/node.ts';
import { formatOf, type Reader, shownAt, type ViewedNode, valueText } from '../../views/index.ts';

export const unitsOf = ({ class: name, config }: ViewedNode): string =>
  String(attributeOf(nodeClass(name), config, 'units') ?? '');

/** Returns a parameter as tiles show it: one that shows states by the name of its state (docs/reference/parameters.md#attributes). */
export function parameterView(node: ViewedNode, name: string, reader: Reader): ParameterView {
  const current = shownAt(node, 'current');
  const showsStates = displayTypeOf(node.config) === 'STATE';
  const state = current && statesOf(node.config).states.find(({ _id }) => _id === current.shown.stateId);
  const text = current ? valueText(current, formatOf(node), reader) : '';
  return {
    name,
    value: showsStates ? (state?.name ?? text) : text,
    units: showsStates && state ? '' : unitsOf(node),
    number: current?.shown.number ?? null,
    state: state ? { name: state.name, isAlarm: state.isAlarm } : null,
    ...(showsStates ? { changePercent: null, change: null } : changeOf(node)),
    time: current ? formatIsoMs(current.record.ms) : null,
  };
}

/**
 * Units whose zero is a convention: 20 °C is not twice 10 °C, and a direction of 2° not twice one of 1°. Their changes
 * are shown as differences.
 */
const WITHOUT_ZERO = /^(?:°|deg\b|degrees?\b|degC|degF|celsius|fahrenheit|[℃℉]|pH\b|dB)/i;

/** Change from the previous number to the current one: to a tenth of a percent, or in its units. */
function changeOf(node: ViewedNode): Pick<ParameterView, 'changePercent' | 'change'> {
  const [now, before] = [node.shown.current.number, node.shown.previous.number];
  if (now === null || before === null) return { changePercent: null, change: null };
  if (WITHOUT_ZERO.test(unitsOf(node).trim())) {
    const change = Number((now - before).toPrecision(6));
    return { changePercent: null, change: Number.isFinite(change) ? change : null };
  }
  const percent = Math.round(((now - before) / Math.abs(before)) * 1000) / 10;
  return { changePercent: before !== 0 && Number.isFinite(percent) ? percent : null, change: null };
}

/** Draws a Number parameter by its chart settings (docs/reference/parameters.md#chart-settings). */
export function seriesView(node: ViewedNode, name: string, index: number, link: JsonObject = {}): SeriesView {
  const chart = { ...node.config.chart, ...link };
  const { primaryColor = 'AUTOMATIC', lineType = 'NORMAL', fillStyle } = chart as Readonly<Record<string, string>>;
  const isColumn = chart.type === 'ColumnChart';
  const isStep = displayTypeOf(node.config) === 'STATE' || lineType.startsWith('STEP');
  const pattern = parseNumberPattern(formatOf(node));
  return {
    name,
    units: unitsOf(node),
    color: primaryColor === 'AUTOMATIC' ? paletteColor(index) : primaryColor,
    type: isColumn ? 'COLUMN' : isStep ? 'STEP' : 'LINE',
    fill: isColumn || (fillStyle ?? 'NONE') !== 'NONE',
    decimals: (pattern && decimalsOf(pattern)) ?? null,
  };
}
