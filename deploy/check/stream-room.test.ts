import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { STREAMS } from '@catchment/bus';

const CHART = path.join(import.meta.dirname, '../chart/catchment');

test('the chart counts with the usual room of every stream', async () => {
  const [validate, values] = await Promise.all(
    ['templates/_validate.tpl', 'values.yaml'].map((file) => readFile(path.join(CHART, file), 'utf8')),
  );
  const counted = [...(/dict ("ingestMiB" .+) }}/.exec(validate ?? '')?.[1] ?? '').matchAll(/"(\w+)MiB" (\d+)/g)];
  const documented = [...(values ?? '').matchAll(/0: (\d+)[\s\S]*?\n {2}(\w+)MiB: 0/g)].map(([, mib, name]) => [
    name,
    Number(mib),
  ]);
  const usual = Object.entries(STREAMS).map(([name, { maxBytes }]) => [name.toLowerCase(), maxBytes / 1024 / 1024]);
  expect(counted.map(([, name, mib]) => [name, Number(mib)]).sort()).toEqual(usual.sort());
  expect(documented.sort()).toEqual(usual);
});
