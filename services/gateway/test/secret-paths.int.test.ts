import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { tracedPath } from '../src/domain/traced-path.ts';
import { openGateway } from './fixture.ts';

type Made = { fastify: { addHook(name: 'onRoute', hook: (route: { url: string }) => void): void } };

const routes = new Set<string>();
const watch = (message: unknown) =>
  (message as Made).fastify.addHook('onRoute', ({ url }) => {
    routes.add(url);
  });
const SECRET_PARAMETERS = /:(?:key|token|publicId)\b/;
const SECRET = 'sesame-0123456789';

let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  subscribe('fastify.initialization', watch);
  gateway = await openGateway({ env: { LIMIT_REQUESTS: '0' } });
});
afterAll(async () => {
  unsubscribe('fastify.initialization', watch);
  await gateway?.[Symbol.asyncDispose]();
});

const pathOf = (route: string) => route.replace(SECRET_PARAMETERS, SECRET).replaceAll(/:\w+/g, '1'.repeat(24));

test('the routes whose address opens something are known here', () => {
  const secret = [...routes].filter((route) => SECRET_PARAMETERS.test(route));
  for (const route of [
    '/upload/source/:key',
    '/upload/lorawan/:key',
    '/auth/resetpassword/:token',
    '/public/dash/:publicId/view',
  ])
    expect(secret).toContain(route);
  const parameters = new Set([...routes].flatMap((route) => [...route.matchAll(/:(\w+)/g)].map(([, name]) => name)));
  // A new one that is neither of these: decide whether it opens something, and say so in traced-path.ts.
  expect([...parameters].sort()).toEqual([
    'account',
    'alert',
    'deliveryId',
    'id',
    'key',
    'n',
    'preference',
    'publicId',
    'tileId',
    'token',
  ]);
});

test('no route shows a trace what opens something', () => {
  for (const route of routes) {
    const traced = tracedPath(route, `${pathOf(route)}?signature=${SECRET}`);
    expect(traced).toBe(SECRET_PARAMETERS.test(route) ? route : pathOf(route));
  }
});

test('a path that no route takes is not traced', () => {
  expect(tracedPath(undefined, `/auth/resetpasword/${SECRET}`)).toBeUndefined();
});

test('no line of the log has what opens something, whatever the method and the answer', async () => {
  // Streams have no end.
  const ended = [...routes].filter((route) => !route.endsWith('/stream'));
  const paths = [...ended.map(pathOf), `/auth/resetpasword/${SECRET}`, `/upload/source/${SECRET}/more`];
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PATCH'])
      await gateway
        .ask(`${path}?signature=${SECRET}`, { method, ...(method === 'POST' && { body: 'x' }) })
        .catch(() => {});
  expect(gateway.lines.length).toBeGreaterThan(paths.length);
  expect(gateway.lines.filter((line) => line.includes(SECRET))).toEqual([]);
});
