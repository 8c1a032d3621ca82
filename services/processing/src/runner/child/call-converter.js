// Calls a converter: convert(file, context), which returns {columns, records} or yields several of them. The value of this file is a
// function that returns one by which JTS documents are asked for, as JSON.
// Threat: results without end, or a result that changes this function. The engine serves one call and is dropped, so nothing
// here is frozen; what leaves it is a text, whose length, number and time the process around limits and whose content it
// reads as it would read a stranger's upload.
(text, buffer, textOf) => {
  const MAX_RECORDS = 2_000;
  const MAX_COLUMNS = 100;
  const { fileName, context } = JSON.parse(text);
  const file = {
    name: fileName,
    bytes: new Uint8Array(buffer),
    text: (encoding = 'utf-8') => textOf(String(encoding)),
  };
  const main = typeof convert === 'function' ? convert : module.exports?.convert;
  if (typeof main !== 'function') throw new Error('there is no function convert');
  const result = main(file, context);
  if (typeof result !== 'object' || result === null) throw new Error('convert returns no object');
  if (result instanceof Promise) throw new Error('convert returns a promise: it must return its result');
  const pieces = typeof result.next === 'function' ? result : [result][Symbol.iterator]();

  const TYPES = ['NUMBER', 'TEXT', 'TIME', 'BOOLEAN', 'COORDINATES'];
  const headerOf = (columns) => {
    if (!Array.isArray(columns) || columns.length === 0) throw new Error('columns: there are none');
    if (columns.length > MAX_COLUMNS) throw new Error(`columns: there may be ${MAX_COLUMNS} at the most`);
    const header = {};
    columns.forEach((column, index) => {
      const { name, series = name, type = 'NUMBER', units } = column ?? {};
      if (typeof name !== 'string' || name === '') throw new Error(`columns[${index}].name: must be a text`);
      if (!TYPES.includes(type)) throw new Error(`columns[${index}].type: must be one of ${TYPES.join(', ')}`);
      header[index] = { name, series: String(series), dataType: type };
      if (units !== undefined) header[index].units = String(units);
    });
    return header;
  };
  const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/;
  const timeOf = (time, index) => {
    if (typeof time === 'string' && ISO.test(time)) return time;
    const date = new Date(time);
    if (time === null || typeof time === 'string' || Number.isNaN(date.getTime()))
      throw new Error(`records[${index}].time: must be a Date, milliseconds or an ISO text`);
    return date.toISOString();
  };
  const entryOf = ({ time, values, qualities } = {}, index, types) => {
    if (!Array.isArray(values)) throw new Error(`records[${index}].values: must be an array`);
    const f = {};
    values.forEach((value, column) => {
      if (column >= types.length) throw new Error(`records[${index}].values: has more values than there are columns`);
      const quality = qualities?.[column];
      const isMissing = value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));
      if (isMissing && quality === undefined) return;
      f[column] = {};
      if (!isMissing) f[column].v = types[column] === 'TIME' ? { $time: timeOf(value, index) } : value;
      if (types[column] === 'COORDINATES' && !isMissing) f[column].v = { $coords: value };
      if (quality !== undefined) f[column].q = quality;
    });
    return { ts: timeOf(time, index), f };
  };

  /** The converter has yielded this and was not asked for it yet. */
  let piece;
  let at = 0;
  return () => {
    if (piece === undefined) {
      const { value, done } = pieces.next();
      if (done) return undefined;
      const { columns, records } = value ?? {};
      if (!Array.isArray(records)) throw new Error('records: must be an array');
      const header = headerOf(columns);
      piece = { header, records, types: Object.values(header).map(({ dataType }) => dataType) };
      at = 0;
    }
    const { header, records, types } = piece;
    const end = Math.min(records.length, at + MAX_RECORDS);
    const data = [];
    for (; at < end; at += 1) data.push(entryOf(records[at], at, types));
    if (at >= records.length) piece = undefined;
    return JSON.stringify({ docType: 'jts', version: '1.0', header: { columns: header }, data });
  };
};
