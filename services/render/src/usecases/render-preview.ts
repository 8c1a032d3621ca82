import type { Call, Files, PreviewedFile, Previewing } from './ports.ts';

export type PreviewDeps = { readonly files: Files; readonly previewing: Previewing };

/** The preview of a stored file (docs/reference/attachments.md#previews); empty when its bytes are no picture. */
export async function renderPreview(deps: PreviewDeps, file: PreviewedFile, call: Call): Promise<Uint8Array> {
  return deps.previewing.preview(await deps.files.read(file, call), call.signal);
}
