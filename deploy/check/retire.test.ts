import { kubernetes, runHook } from './hook-scripts.ts';

/** Makes a Deployment of one pod that is there from its n-th look on. */
const deployment = (isReady: boolean): object => {
  const count = isReady ? 1 : 0;
  const status = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: count };
  return { metadata: { generation: 2 }, spec: { replicas: 1 }, status };
};
const retire = (url: string) =>
  runHook('retire', url, { NEW_DEPLOYMENTS: 'core front', OLD_DEPLOYMENTS: 'nodes gateway' });
const of = (name: string) => name.replace(' ', ' deployments/');

test('the old Deployments go when all pods of the new ones are ready, however often it has to look', async () => {
  await using api = await kubernetes((request, time) => {
    if (request === of('GET core')) return { status: 200, body: deployment(time > 2) };
    if (request === of('GET front')) return time === 1 ? { status: 503 } : { status: 200, body: deployment(true) };
    // One is gone already.
    return { status: request === of('DELETE nodes') ? 200 : 404 };
  });
  expect(await retire(api.url)).toMatchObject({ status: 0 });
  const looks = ['GET core', 'GET core', 'GET core', 'GET front', 'GET front'];
  expect(api.asked.map(({ request }) => request)).toEqual([...looks, 'DELETE nodes', 'DELETE gateway'].map(of));
});

test.each([
  ['whose spec the cluster has not looked at', { metadata: { generation: 3 } }],
  [
    'that has pods of the version before',
    { status: { observedGeneration: 2, replicas: 2, updatedReplicas: 1, readyReplicas: 2 } },
  ],
])('a new Deployment %s is not ready', async (_what, state) => {
  await using api = await kubernetes((request, time) => {
    return { status: 200, body: { ...deployment(true), ...(request === of('GET core') && time === 1 && state) } };
  });
  await retire(api.url);
  expect(api.asked.filter(({ request }) => request === of('GET core'))).toHaveLength(2);
});

test('without the right it fails and says what it was refused', async () => {
  await using api = await kubernetes(() => ({ status: 403 }));
  const { status, said } = await retire(api.url);
  expect(status).toBe(1);
  expect(said).toContain('GET core: 403');
  expect(api.asked.map(({ request }) => request)).toEqual([of('GET core')]);
});
