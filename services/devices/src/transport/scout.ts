import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@catchment/config';
import { Admission, type AdmissionLimits } from '../domain/admission.ts';
import { FailedIdents, type FailureLimits } from '../usecases/failed-idents.ts';
import { SecretHasher } from '../usecases/secret-hasher.ts';
import type { Transport } from '../usecases/transport.ts';
import { type ScoutListener, ScoutServer } from './scout-server.ts';

/** Well above what a refusal costs: a derivation and two lookups. */
const REFUSAL_MS = 250;

export type ScoutSettings = AdmissionLimits &
  FailureLimits & {
    readonly scoutHost: string;
    readonly scoutPort: number;
    readonly scoutTlsPort: number;
    /** Given together, or neither. */
    readonly scoutTlsCertFile: string | undefined;
    readonly scoutTlsKeyFile: string | undefined;
    readonly identLimitMs: number;
  };

/** Scout modems, which connect by themselves (docs/modem-protocol.md). */
export const scout = (settings: ScoutSettings): Transport => ({
  name: 'Scout',
  deviceClass: 'ScoutDevice',
  async open({ now, ...deps }) {
    const server = new ScoutServer({
      ...deps,
      now,
      instanceId: randomUUID(),
      secrets: new SecretHasher(),
      admission: new Admission(settings),
      failedIdents: new FailedIdents(settings, now),
      refusalMs: REFUSAL_MS,
      identLimitMs: settings.identLimitMs,
    });
    const ports = await server.open(await listenersOf(settings)).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    return { ports, close: () => server.close() };
  },
});

async function listenersOf(settings: ScoutSettings): Promise<ScoutListener[]> {
  const { scoutHost: host, scoutTlsCertFile, scoutTlsKeyFile } = settings;
  const plain = { host, port: settings.scoutPort };
  if (!scoutTlsCertFile && !scoutTlsKeyFile) return [plain];
  if (!scoutTlsCertFile || !scoutTlsKeyFile) {
    throw new ConfigError(['SCOUT_TLS_CERT_FILE and SCOUT_TLS_KEY_FILE must be given together']);
  }
  const [cert, key] = await Promise.all([readFile(scoutTlsCertFile), readFile(scoutTlsKeyFile)]);
  return [plain, { host, port: settings.scoutTlsPort, tls: { cert, key } }];
}
