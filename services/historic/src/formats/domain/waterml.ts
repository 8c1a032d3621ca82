import type { SeriesView } from '../../columns/index.ts';
import type { Answer, Pieces, Site } from './answer.ts';
import type { TableColumn } from './column-table.ts';
import { shownRows } from './covjson.ts';
import { uniqueNames } from './fields.ts';

const NAMESPACES = {
  wml2: 'http://www.opengis.net/waterml/2.0',
  om: 'http://www.opengis.net/om/2.0',
  gml: 'http://www.opengis.net/gml/3.2',
  sam: 'http://www.opengis.net/sampling/2.0',
  sams: 'http://www.opengis.net/samplingSpatial/2.0',
  swe: 'http://www.opengis.net/swe/2.0',
  xlink: 'http://www.w3.org/1999/xlink',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
};
const DEFINITIONS = 'http://www.opengis.net/def/waterml/2.0';
/** WaterML names here what a value says of the time from it to the next value. */
const INTERPOLATION: Readonly<Record<string, string>> = {
  NONE: 'Continuous',
  INTERPOLATED: 'Continuous',
  AVERAGE: 'AverageSucc',
  TIME_WEIGHTED_MEAN: 'AverageSucc',
  TOTAL: 'TotalSucc',
  MIN: 'MinSucc',
  MAX: 'MaxSucc',
};

/** Yields a collection of observations, one for each column (docs/reference/formats.md#waterml2). */
export function* waterMlPieces(answer: Answer): Pieces {
  const { table, sites, nowMs, query } = answer;
  const { formatIso } = query.zone;
  const namespaces = Object.entries(NAMESPACES).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<wml2:Collection ${namespaces.join(' ')} gml:id="collection">\n`;
  yield `<wml2:metadata><wml2:DocumentMetadata gml:id="document"><wml2:generationDate>${formatIso(nowMs)}</wml2:generationDate>`;
  yield `<wml2:version xlink:href="http://www.opengis.net/waterml/2.0" xlink:title="WaterML 2.0"/>`;
  yield '<wml2:generationSystem>Catchment</wml2:generationSystem></wml2:DocumentMetadata></wml2:metadata>\n';
  for (const site of new Map(sites.map((site) => [site.nodeId, site])).values()) yield monitoringPoint(site);
  const names = uniqueNames(table.columns, '.');
  for (const [n, column] of table.columns.entries())
    yield* observation(answer, column, { id: names[n] ?? '', site: sites[n] });
  yield '</wml2:Collection>\n';
}

function monitoringPoint({ nodeId, name, customId, coordinates }: Site): string {
  const shape = coordinates
    ? `<sams:shape><gml:Point gml:id="place-${nodeId}" srsName="http://www.opengis.net/def/crs/EPSG/0/4326">` +
      `<gml:pos>${coordinates.latitude} ${coordinates.longitude}</gml:pos></gml:Point></sams:shape>`
    : '<sams:shape xsi:nil="true"/>';
  return (
    `<wml2:samplingFeatureMember><wml2:MonitoringPoint gml:id="site-${nodeId}">` +
    `<gml:identifier codeSpace="urn:x-catchment:node">${escaped(customId || nodeId)}</gml:identifier>` +
    `<gml:name>${escaped(name)}</gml:name><sam:sampledFeature xsi:nil="true"/>${shape}` +
    '</wml2:MonitoringPoint></wml2:samplingFeatureMember>\n'
  );
}

type Shown = { readonly id: string; readonly site: Site | undefined };

function* observation({ table, head, nowMs, query }: Answer, column: TableColumn, { id, site }: Shown): Pieces {
  const { view, records } = column;
  const { formatIso } = query.zone;
  const { from, to } = shownRows(column, table.times);
  const beginMs = from < to ? (records.times[from] ?? 0) : (head.startMs ?? nowMs);
  const endMs = from < to ? (records.times[to - 1] ?? 0) : Math.max(beginMs, head.endMs ?? nowMs);
  const { node } = view;
  yield `<wml2:observationMember><om:OM_Observation gml:id="observation-${id}"><gml:name>${escaped(node.name)}</gml:name>`;
  yield '<om:type xlink:href="http://www.opengis.net/def/observationType/waterml/2.0/MeasurementTimeseriesTVPObservation"/>';
  yield `<om:phenomenonTime><gml:TimePeriod gml:id="time-${id}"><gml:beginPosition>${formatIso(beginMs)}</gml:beginPosition>`;
  yield `<gml:endPosition>${formatIso(endMs)}</gml:endPosition></gml:TimePeriod></om:phenomenonTime>`;
  yield `<om:resultTime><gml:TimeInstant gml:id="result-time-${id}"><gml:timePosition>${formatIso(endMs)}</gml:timePosition>`;
  yield '</gml:TimeInstant></om:resultTime>';
  yield `<om:procedure xlink:href="urn:x-catchment:aggregate:${view.aggregate}" xlink:title="${view.aggregate}"/>`;
  yield `<om:observedProperty xlink:href="urn:x-catchment:node:${node.nodeId}" xlink:title="${escaped(node.name)}"/>`;
  yield `<om:featureOfInterest xlink:href="#site-${site?.nodeId}" xlink:title="${escaped(site?.name ?? '')}"/>`;
  yield `<om:result><wml2:MeasurementTimeseries gml:id="series-${id}">${defaultMetadata(view)}\n`;
  for (let index = from; index < to; index += 1) yield point(column, index, formatIso(records.times[index] ?? 0));
  yield '</wml2:MeasurementTimeseries></om:result></om:OM_Observation></wml2:observationMember>\n';
}

function defaultMetadata({ node, aggregate }: SeriesView): string {
  const { units } = node.series;
  // Codes of units have neither blanks nor colons.
  const code = escaped(units).replaceAll(/[\s:]+/g, '_');
  const interpolation = INTERPOLATION[aggregate];
  const uom = units === '' ? '' : `<wml2:uom code="${code}" xlink:title="${escaped(units)}"/>`;
  const kind =
    interpolation === undefined
      ? ''
      : `<wml2:interpolationType xlink:href="${DEFINITIONS}/interpolationType/${interpolation}" xlink:title="${interpolation}"/>`;
  return (
    '<wml2:defaultPointMetadata><wml2:DefaultTVPMeasurementMetadata>' +
    `${uom}${kind}</wml2:DefaultTVPMeasurementMetadata></wml2:defaultPointMetadata>`
  );
}

function point({ records, view }: TableColumn, index: number, time: string): string {
  const number = view.number(records, index);
  const value = Number.isNaN(number) ? '<wml2:value xsi:nil="true"/>' : `<wml2:value>${number}</wml2:value>`;
  const code = records.qualities[index] ?? -1;
  const annotation = records.annotations.get(index);
  const comment = annotation === undefined ? '' : `<wml2:comment>${escaped(annotation)}</wml2:comment>`;
  const quality =
    code < 0
      ? ''
      : `<wml2:qualifier><swe:Category><swe:identifier>quality</swe:identifier><swe:value>${code}</swe:value></swe:Category></wml2:qualifier>`;
  const metadata =
    comment + quality === ''
      ? ''
      : `<wml2:metadata><wml2:TVPMeasurementMetadata>${comment}${quality}</wml2:TVPMeasurementMetadata></wml2:metadata>`;
  return `<wml2:point><wml2:MeasurementTVP><wml2:time>${time}</wml2:time>${value}${metadata}</wml2:MeasurementTVP></wml2:point>\n`;
}

const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text and attributes. Signs that no XML document may have are left out; in attributes line breaks would become blanks. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"']/g, (sign) => ENTITY[sign] ?? sign)
    .replaceAll(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
