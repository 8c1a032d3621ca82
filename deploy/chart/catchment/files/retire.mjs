// A hook of an upgrade runs it in a pod: waits until each of NEW_DEPLOYMENTS has all its pods ready, then deletes OLD_DEPLOYMENTS.
const names = (list = '') => list.split(' ').filter(Boolean);
const deployment = (name) => `apis/apps/v1 deployments/${name}`;

const isReady = ({ metadata, spec, status = {} }) =>
  (status.observedGeneration ?? 0) >= metadata.generation &&
  [status.updatedReplicas, status.readyReplicas, status.replicas].every((count) => (count ?? 0) === spec.replicas);

for (const name of names(process.env.NEW_DEPLOYMENTS))
  await until(`waiting for the pods of ${name}`, async () => {
    const answer = await ask('GET', deployment(name));
    return answer?.status === 200 && isReady(answer.object);
  });
for (const name of names(process.env.OLD_DEPLOYMENTS))
  await until(`deleting ${name}`, async () => (await ask('DELETE', deployment(name), { propagationPolicy: 'Background' })) !== undefined);
