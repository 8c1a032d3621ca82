import { ProcessingServiceService } from '@catchment/contracts/processing';

import type { CallerSigner, Peer } from '@catchment/grpc';

const RENDER_TIMEOUT_MS = 10_000;
/** A decoder or a converter, with what waits before it, takes less. */
const DECODE_TIMEOUT_MS = 15_000;
const CONVERT_TIMEOUT_MS = 120_000;

export type UrlToRender = {
  readonly ownerId: string;
  readonly sourceId: string;
  readonly template: string;
  readonly nowMs: number;
};

export type Payload = {
  readonly ownerId: string;
  readonly decoder: string;
  readonly payload: Buffer;
  readonly fPort: number;
  readonly timeMs: number;
};

export type FileToConvert = {
  readonly ownerId: string;
  readonly converterId: string;
  readonly fileName: string;
  readonly file: Buffer;
  readonly sourceName: string;
  readonly timezone: string;
  readonly timeMs: number;
};

/** The runners of people's code. */
export function processingClient(peer: Peer, signer: CallerSigner) {
  const client = peer.client(ProcessingServiceService);
  const options = async (timeoutMs: number, signal: AbortSignal) => ({
    timeoutMs,
    signal,
    token: await signer.sign({ kind: 'service', service: 'devices' }),
  });
  return {
    /** The URL of a download with its expressions evaluated. */
    renderUrl: async (request: UrlToRender, signal: AbortSignal): Promise<string> =>
      (await client.renderUrl(request, await options(RENDER_TIMEOUT_MS, signal))).url,
    /** @throws DomainError failed_precondition: what the decoder says; unavailable */
    decode: async (payload: Payload, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> => {
      const { json } = await client.decodePayload(payload, await options(DECODE_TIMEOUT_MS, signal));
      return JSON.parse(json) as Record<string, unknown>;
    },
    /** JTS documents. @throws DomainError failed_precondition: what the converter says; not_found: there is none; unavailable */
    convert: async function* (file: FileToConvert, signal: AbortSignal): AsyncGenerator<string> {
      for await (const { json } of client.convert(file, await options(CONVERT_TIMEOUT_MS, signal))) yield json;
    },
  };
}
