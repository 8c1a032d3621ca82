import { CallerSigner, type Peer, remotePeer } from '@catchment/grpc';
import { Readiness } from '@catchment/service';
import { createLogger } from '@catchment/telemetry';
import { connectPeers } from '../../services/gateway/src/clients/peers.ts';
import { config as gateway } from '../../services/gateway/src/config.ts';
import { buildApp } from '../../services/gateway/src/transport/app.ts';
import { Drain } from '../../services/gateway/src/transport/drain.ts';
import { PEER_NAMES, type PeerName } from '../../services/gateway/src/usecases/ports.ts';

const SECRET = 'that-of-a-gateway-that-answers-nobody';
/** Nobody is called: an answer would need a caller. */
const NOWHERE = '127.0.0.1:1';

/** Returns the description that a gateway of a standard installation answers at `/api/v1/openapi.json`. */
export async function openApiText(): Promise<string> {
  const addresses = PEER_NAMES.map((name) => [`${name.toUpperCase()}_ADDRESS`, NOWHERE]);
  const config = gateway.read({ SERVICE_TOKEN_SECRET: SECRET, ...Object.fromEntries(addresses) });
  const peer = remotePeer(NOWHERE);
  const peers = connectPeers(Object.fromEntries(PEER_NAMES.map((name) => [name, peer])) as Record<PeerName, Peer>);
  const app = await buildApp({
    config,
    peers,
    signer: new CallerSigner(SECRET),
    log: createLogger('gateway', { level: 'silent' }),
    readiness: new Readiness(),
    drain: new Drain(),
    runbook: async () => undefined,
  });
  try {
    await app.ready();
    return `${readable(app.swagger())}\n`;
  } finally {
    await app.close();
    peers.close();
  }
}

/** A small part has a line no longer than this. */
const LINE = 160;

/** Writes JSON in which a small part has a line, so that a difference is shown with what it is in. */
function readable(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (short.length + indent.length <= LINE || value === null || typeof value !== 'object') return short;
  const deeper = `${indent} `;
  const isArray = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${deeper}${isArray ? '' : `${JSON.stringify(name)}: `}${readable(part, deeper)}`);
  return `${isArray ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${isArray ? ']' : '}'}`;
}
