/** Descriptions of attributes; their rules come from the tables of the nodes service. */
const PROSE: Readonly<Record<string, string>> = {
  alarms: 'By alarm type: `config` may be set, `status` is read-only.',
  chart: 'How a parameter is drawn.',
  isPublic:
    'Charts, dashboards, attachments, parameters and reports. Who has the link may see it without signing in. Gives a `publicId`, which is in the link.',
  isDirection: 'Values are degrees: between two of them is the shorter way round.',
  multiplier: 'Value = raw value × multiplier + offset.',
  controlValue:
    'Control parameters: the value that waits to be sent, of the family of the parameter. To write it asks for the operation; null takes it back.',
  coordinateSeries: 'Location: number parameters of its coordinate source, by series or name.',
  equation:
    'Expression of x, the raw value, in place of multiplier and offset: + - * / ^ ( ) and abs sqrt exp ln log10 sin cos tan min max pow.',
  overrides: 'Node of a template: attributes that instances may have of their own.',
  parser: 'How files of delimited text are read. Null: as the file says itself.',
  series: 'Key that writes to the data source match.',
  states:
    'States of parameters. With `_id`s: these states change. Without any: the list replaces all. Null restores the defaults.',
  transport:
    'How data comes to the source. Secrets are written, never read back: `********` stands for one that is set.',
  quietMaxSeconds: 'Without data for as long, the source is outdated.',
};

/** Returns the same attributes with what people read about them; a reference may have nothing beside it. */
export const described = (properties: Readonly<Record<string, object>>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      PROSE[name] === undefined || 'description' in schema
        ? schema
        : { ...('$ref' in schema ? { allOf: [schema] } : schema), description: PROSE[name] },
    ]),
  );

/** Returns a schema of an answer: with dotted names in `attr` it may lack any part. */
export function partly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(partly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(name === 'required' && Array.isArray(value)));
  return Object.fromEntries(kept.map(([name, value]) => [name, partly(value)]));
}
