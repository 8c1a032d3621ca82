import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { fake, json, URL_OF_FAKE } from './fake.ts';

const folder = path.resolve(import.meta.dirname, '..');

/** This client leaves these out, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  pushFile: 'of devices, which have passwords of their own instead of a key',
  takeUplink: 'of network servers of LoRaWAN',
  takeSamples: 'of an app on phones',
};

test('the client is at most 12 KiB, bundled whole, minified and compressed', async () => {
  const bundle = await rolldown({ input: path.join(folder, 'src/index.ts'), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const code = output.map((part) => ('code' in part ? part.code : '')).join('');
  expect(output.flatMap((part) => ('imports' in part ? part.imports : []))).toEqual([]);
  expect(code).toContain('idempotency-key');
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(12 * 1024);
});

test('it needs nothing but openapi-fetch', async () => {
  const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
});

test('every operation of the description is reached, or left out with its reason', async () => {
  const { paths } = JSON.parse(await readFile(path.join(folder, '../openapi.json'), 'utf8'));
  const reached: string[] = [];
  for (const [place, methods] of Object.entries<Record<string, { operationId: string }>>(paths))
    for (const [method, { operationId }] of Object.entries(methods)) {
      if (LEFT_OUT[operationId]) continue;
      const { client, requests } = fake(json({}));
      const call = (client().api as unknown as Record<string, (path: string, options: object) => Promise<unknown>>)[
        method.toUpperCase()
      ];
      await call?.(place, { params: { path: { id: '@a', deliveryId: '1', preference: '1', key: 'k' } } });
      expect(requests[0]).toMatchObject({
        method: method.toUpperCase(),
        url: URL_OF_FAKE + place.replace(/\{\w+\}/g, (name) => (name === '{id}' ? '@a' : '1')).replace('@', '%40'),
      });
      reached.push(operationId);
    }
  const all = Object.values(paths).flatMap((methods) =>
    Object.values(methods as Record<string, { operationId: string }>),
  );
  expect([...reached, ...Object.keys(LEFT_OUT)].sort()).toEqual(all.map(({ operationId }) => operationId).sort());
});
