import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Running = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
};
const NAMESPACE = 'water';
/** The chart looks these up: paths of the API by version, and names of its resources. */
const GROUPS = [
  {
    version: 'v1',
    path: '/api/v1',
    resources: {
      Secret: 'secrets',
      ConfigMap: 'configmaps',
      ServiceAccount: 'serviceaccounts',
      PersistentVolumeClaim: 'persistentvolumeclaims',
      Pod: 'pods',
      Node: 'nodes',
    },
  },
  {
    version: 'apps/v1',
    path: '/apis/apps/v1',
    resources: { Deployment: 'deployments', StatefulSet: 'statefulsets' },
  },
] as const;
/** These are looked up in the whole cluster. */
const OF_ALL = ['Pod', 'Node'];

/**
 * Starts as much of an API server as `lookup` of helm asks: these objects, in the namespace of `template`. Closes with
 * `await using`.
 */
export async function fakeCluster(objects: readonly Running[]) {
  const answers = new Map<string, object>();
  for (const { version, path, resources } of GROUPS) {
    const kinds = Object.entries(resources);
    answers.set(path, {
      kind: 'APIResourceList',
      groupVersion: version,
      resources: kinds.map(([kind, name]) => ({ name, kind, namespaced: kind !== 'Node', verbs: ['get'] })),
    });
    for (const [kind, name] of kinds) {
      const items = objects.filter((object) => object.apiVersion === version && object.kind === kind);
      const list = { apiVersion: version, kind: `${kind}List`, items };
      answers.set(`${path}/namespaces/${NAMESPACE}/${name}`, list);
      if (OF_ALL.includes(kind)) answers.set(`${path}/${name}`, list);
      for (const object of items)
        answers.set(`${path}/namespaces/${NAMESPACE}/${name}/${object.metadata.name}`, object);
    }
  }
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
  const server = createServer((request, response) => {
    const answer = answers.get(request.url?.split('?')[0] ?? '');
    response
      .writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(answer ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    /** Helm renders with this cluster at hand. */
    arguments: ['--dry-run=server', '--kube-apiserver', `http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
