import type { CDPSession } from 'playwright-core';

export type Requests = {
  readonly count: number;
  /** The requests are as they came over the network. */
  readonly bytes: number;
  /** Requests to the API alone. */
  readonly apiCount: number;
  readonly apiBytes: number;
  /** The answer that has most has this many nodes, and this path. */
  readonly mostNodes: number;
  readonly largest: string;
};

type Known = { url: string; bytes: number; ms?: number };

/** Counts what a page asks for, from now on. */
export async function countRequests(
  client: CDPSession,
): Promise<{ readonly result: () => Promise<Requests>; readonly all: () => readonly Known[] }> {
  const known = new Map<string, Known>();
  const bodies: Promise<{ url: string; nodes: number }>[] = [];
  await client.send('Network.enable', { maxResourceBufferSize: 50_000_000, maxTotalBufferSize: 200_000_000 });
  client.on('Network.requestWillBeSent', ({ requestId, request }) => {
    known.set(requestId, { url: request.url, bytes: 0 });
  });
  client.on('Network.responseReceived', ({ requestId, response: { timing } }) => {
    const request = known.get(requestId);
    if (request && timing) request.ms = timing.receiveHeadersEnd - timing.sendEnd;
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = known.get(requestId);
    if (!request) return;
    request.bytes = encodedDataLength;
    if (/\/api\/v1\/nodes(?:\/children|\/search)?(?:\?|$)/.test(request.url))
      bodies.push(nodesOf(client, requestId, request.url));
  });
  return {
    all: () => [...known.values()],
    result: async () => {
      const all = [...known.values()];
      const api = all.filter(({ url }) => url.includes('/api/v1/'));
      const sum = (some: readonly Known[]) => some.reduce((bytes, request) => bytes + request.bytes, 0);
      const largest = (await Promise.all(bodies)).sort((a, b) => b.nodes - a.nodes)[0];
      return {
        count: all.length,
        bytes: sum(all),
        apiCount: api.length,
        apiBytes: sum(api),
        mostNodes: largest?.nodes ?? 0,
        largest: largest === undefined ? '' : new URL(largest.url).pathname,
      };
    },
  };
}

async function nodesOf(client: CDPSession, requestId: string, url: string): Promise<{ url: string; nodes: number }> {
  try {
    const { body, base64Encoded } = await client.send('Network.getResponseBody', { requestId });
    const answer = JSON.parse(base64Encoded ? Buffer.from(body, 'base64').toString() : body) as { nodes?: unknown[] };
    return { url, nodes: Array.isArray(answer) ? answer.length : (answer.nodes?.length ?? 0) };
  } catch {
    // The page has gone on meanwhile.
    return { url, nodes: 0 };
  }
}
