import type { Call } from './render-chart.ts';

export type PreviewedFile = { readonly fileId: string; readonly size: number; readonly segmentBytes: number };

export interface Files {
  /** The whole file. @throws DomainError not_found | unavailable */
  read(file: PreviewedFile, call: Call): Promise<Uint8Array>;
}

export interface Previewing {
  /** A JPEG; empty when the bytes are no picture. It takes the bytes away. */
  preview(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

export type PreviewDeps = { readonly files: Files; readonly previewing: Previewing };

/** The preview of a stored file (docs/reference/attachments.md#previews); empty when its bytes are no picture. */
export async function renderPreview(deps: PreviewDeps, file: PreviewedFile, call: Call): Promise<Uint8Array> {
  return deps.previewing.preview(await deps.files.read(file, call), call.signal);
}
