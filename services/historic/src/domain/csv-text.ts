import type { CsvOptions } from './read-options.ts';
import type { RecordSet } from './record-set.ts';
import type { SeriesView } from './series-view.ts';

/** The lines of a CSV answer (semantics 6.6): three header lines, then a row per record. */
export function* csvText(
  records: RecordSet,
  view: SeriesView,
  options: CsvOptions,
  timestamp: (ms: number) => string,
): Generator<string> {
  if (options.header) yield* headerLines(view, options);
  const { delimiter } = options;
  for (let index = 0; index < records.count; index += 1) {
    yield `${timestamp(records.times[index] ?? 0)}${delimiter}${cells(records, view, index, options)}\n`;
  }
}

function* headerLines({ node }: SeriesView, options: CsvOptions): Generator<string> {
  const { quality, qualityDelimiter, annotation, annotationDelimiter, delimiter, textQualifier } = options;
  const appended =
    (quality === 'DELIMITED_WITH_VALUE' ? `${qualityDelimiter}Quality` : '') +
    (annotation === 'DELIMITED_WITH_VALUE' ? `${annotationDelimiter}Annotation` : '');
  const own = [quality === 'SEPARATE_VALUE' && ' [Quality]', annotation === 'SEPARATE_VALUE' && ' [Annotation]'].filter(
    (suffix) => suffix !== false,
  );
  const line = (cellsOfLine: readonly string[]) =>
    `${cellsOfLine.map((cell) => qualified(cell, textQualifier)).join(delimiter)}\n`;
  yield line(['Id', node.nodeId + appended, ...own.map((suffix) => node.name + suffix)]);
  yield line(['Timestamp', node.name + appended, ...own.map((suffix) => node.name + suffix)]);
  yield line(['Units', node.series.units + appended, ...own.map(() => '')]);
}

/**
 * Value, quality and annotation of a record: what is delimited with the value stays in the value's cell, as in the header;
 * then the cells of its own, quality before annotation.
 */
function cells(records: RecordSet, view: SeriesView, index: number, options: CsvOptions): string {
  const { textQualifier, delimiter } = options;
  const { text, isText } = view.csv(records, index);
  let value = isText ? qualified(text, textQualifier) : text;
  let own = '';
  if (options.quality !== 'NONE') {
    const code = records.qualities[index] ?? -1;
    const shown = code < 0 ? '' : String(code);
    if (options.quality === 'SEPARATE_VALUE') own += delimiter + shown;
    else value += options.qualityDelimiter + shown;
  }
  if (options.annotation !== 'NONE') {
    const annotation = records.annotations.get(index);
    const shown = annotation === undefined ? '' : qualified(annotation, textQualifier);
    if (options.annotation === 'SEPARATE_VALUE') own += delimiter + shown;
    else value += options.annotationDelimiter + shown;
  }
  return value + own;
}

/** The qualifier inside a text is doubled. */
function qualified(text: string, qualifier: string): string {
  return qualifier === '' ? text : qualifier + text.replaceAll(qualifier, qualifier + qualifier) + qualifier;
}
