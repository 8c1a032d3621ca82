// helm test: a record goes in through the gateway and comes out again.
const { GATEWAY_URL, API_KEY, CLASS_NAMESPACE, REQUIRE_HTTPS } = process.env;
// The proxy that ends TLS says the same: this pod calls the gateway itself.
const forwarded = REQUIRE_HTTPS === 'true' ? { 'X-Forwarded-Proto': 'https' } : {};
const NOT_TRUSTED =
  "gateway.requireHttps: the gateway does not believe that this pod calls by HTTPS, because the pods' network is not within gateway.trustedProxies. " +
  'This says nothing against the installation: try the commands of `helm get notes` through the Ingress. To have this test too, add the range of pods ' +
  'to gateway.trustedProxies, and let only the Ingress in to the gateway (networkPolicy.gatewayFrom)';

const deadline = Date.now() + 60_000;
/** Nothing was sent: the ways of a new pod open a moment after its start, where policies of the network are enforced. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
const wait = () => new Promise((resolve) => setTimeout(resolve, 250));

async function call(method, path, body) {
  const response = await fetch(`${GATEWAY_URL}/api/v1${path}`, {
    method,
    headers: { 'X-Api-Key': API_KEY, 'Content-Type': 'application/json', ...forwarded },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  }).catch((error) => {
    if (Date.now() < deadline && NOT_CONNECTED.includes(error.cause?.code)) return undefined;
    throw error;
  });
  if (!response) {
    await wait();
    return call(method, path, body);
  }
  const text = await response.text();
  // Pods that have just become ready may not have found each other yet.
  if (response.status === 503 && Date.now() < deadline) {
    await wait();
    return call(method, path, body);
  }
  if (response.status === 403 && text.includes('HTTPS is required')) throw new Error(NOT_TRUSTED);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** The node of this name under a parent, made when it is not there: the test leaves one site, however often it runs. */
async function node(body) {
  const customId = `helm-test-${body.name.toLowerCase()}`;
  const known = await call('GET', `/nodes?filter=customId($eq:${customId})&attr=_id`);
  return known[0] ?? (await call('POST', '/nodes', { ...body, _class: `${CLASS_NAMESPACE}.models.node.${body._class}`, customId }));
}

const workspace = await node({ _class: 'Workspace', name: 'Helm-test' });
const location = await node({ _class: 'location.Location', name: 'Site', parentId: workspace._id });
const source = await node({ _class: 'source.data.Jts', name: 'Source', parentId: location._id });

const value = Math.round(Math.random() * 1e6);
const ts = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
await call('PUT', `/nodes/${source._id}/historic`, {
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'Level' } } },
  data: [{ ts, f: { 0: { v: value } } }],
});

const nodes = await call('GET', '/nodes?attr=_id,parentId');
const parameter = nodes.find((one) => one.parentId === source._id);

for (;;) {
  const document = await call('GET', `/nodes/${parameter._id}/historic?startTime=${ts}&limit=5`);
  const row = document.data.find((one) => one.ts === ts);
  if (row?.f[0].v === value) break;
  if (Date.now() > deadline)
    throw new Error(`wrote ${value} at ${ts}, did not read it back: ${JSON.stringify(document)}`);
  await wait();
}
console.log(`wrote ${value} at ${ts} and read it back through ${GATEWAY_URL}`);
