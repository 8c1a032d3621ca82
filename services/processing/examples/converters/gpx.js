/* {"id": "gpx", "name": "GPX tracks"} */

// Points of the tracks of a GPX file that have a time: position, elevation in metres and, where it is there, speed in metres a second.
// Waypoints and routes are left out: they are no measurements.

const POINT = /<trkpt\b([^>]*?)(?:\/>|>([\s\S]*?)<\/trkpt>)/g;

function attribute(text, name) {
  const match = new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(text);
  return match === null ? undefined : Number(match[1]);
}

function element(text, name) {
  const match = new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(text);
  return match === null || match[1] === '' ? undefined : match[1];
}

function* convert(file) {
  const columns = [
    { name: 'Latitude', units: '°' },
    { name: 'Longitude', units: '°' },
    { name: 'Elevation', units: 'm' },
    { name: 'Speed', units: 'm/s' },
  ];
  const text = file.text().replace(/<!--[\s\S]*?-->/g, '');
  if (!/<gpx\b/.test(text)) throw new Error('this is no GPX file');
  let records = [];
  for (const [, attributes, content = ''] of text.matchAll(POINT)) {
    // Other programs add extensions, which may have their own times and elevations.
    const own = content.replace(/<extensions>[\s\S]*?<\/extensions>/g, '');
    const time = element(own, 'time');
    if (time === undefined) continue;
    const number = (name) => {
      const value = element(own, name);
      return value === undefined ? undefined : Number(value);
    };
    const values = [attribute(attributes, 'lat'), attribute(attributes, 'lon'), number('ele'), number('speed')];
    records.push({ time, values });
    if (records.length < 2000) continue;
    yield { columns, records };
    records = [];
  }
  if (records.length > 0) yield { columns, records };
}
