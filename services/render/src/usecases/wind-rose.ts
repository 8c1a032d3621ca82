import { tooLarge } from '@catchment/errors';
import { countOf } from '@catchment/number-format';
import { formatTime } from '@catchment/time';
import type { Rose } from '../domain/chart.ts';
import { type ChartNode, nodeRange, titlesOf } from '../domain/chart-node.ts';
import type { Parameter } from '../domain/parameter.ts';
import { describeAggregate } from '../domain/reduction.ts';
import { rowAggregate } from '../domain/row-aggregate.ts';
import { readWindRose, roseOf } from '../domain/wind-rose.ts';
import { evaluatedRange } from './evaluated-range.ts';
import type { Call } from './ports.ts';
import { readInParallel } from './read-in-parallel.ts';
import type { Asking, RenderDeps } from './render-chart.ts';

const NONE = { timestamps: new Float64Array(0), values: new Float64Array(0) };
const FOOTER_TIME = 'YYYY-MM-DD HH:mm';

/**
 * Makes the rose of a wind rose node (docs/reference/charts.md#wind-rose-node): good records of speed and direction, one read each.
 * @throws DomainError as `renderNode`
 */
export async function windRose(deps: RenderDeps, node: ChartNode, { asked, nowMs, call }: Asking): Promise<Rose> {
  const settings = readWindRose(node.attributes);
  const { speedNodeId, directionNodeId, ranges, legendTitle, aggregation } = settings;
  const found = await deps.nodes.linked([speedNodeId, directionNodeId].filter(Boolean), call);
  const [speed, direction] = [found.get(speedNodeId), found.get(directionNodeId)];
  const { zone, zoneLabel, width, height } = asked;
  const times = { ...nodeRange(asked, node.attributes), zone };
  const range = await evaluatedRange(deps.records, times, [...found.values()], { nowMs, call });
  const aggregate = rowAggregate(aggregation, range);
  const read = async (parameter: Parameter, reading: Call) => {
    const given = { ...asked.zoneArguments, ...aggregate, qualityExcluded: 'BAD,UNCERTAIN' };
    const query = { ...range, limit: 0, maxRecords: deps.maxRecords, arguments: given, nowMs };
    const records = await deps.records.rows(parameter, query, reading);
    if (!records) throw tooLarge();
    return records;
  };
  // There are no rows without both parameters: nothing is read.
  const [speeds = NONE, directions = NONE] =
    speed && direction ? await readInParallel([speed, direction], call, read) : [];
  const rose = roseOf(speeds, directions, settings.thresholds, settings.calmThreshold);
  const shown = [range.startMs, range.endMs].map((time) => formatTime(time, FOOTER_TIME, zone)).join(' – ');
  return {
    kind: 'ROSE',
    ...rose,
    ranges,
    legendTitle,
    missing: [...(speed ? [] : ['Speed']), ...(direction ? [] : ['Direction'])],
    footer: [shown, zoneLabel, countOf(rose.rows, 'record'), ...(aggregate ? [describeAggregate(aggregate)] : [])].join(
      ' · ',
    ),
    width,
    height,
    ...titlesOf(node, asked),
  };
}
