import type { DevicesServiceService, FileReport } from '@catchment/contracts/devices';
import type { File, FilesServiceService } from '@catchment/contracts/files';
import { notFound } from '@catchment/errors';
import type { CallContext, Handlers } from '@catchment/grpc';

const SEGMENT_BYTES = 1000;
export const MAX_BYTES = 200_000;

/** The behaviour that tests replace. */
class FilesFakeDefaults {
  /** Runs before each segment is stored. */
  onWrite: (index: number) => Promise<void> = async () => {};
  isPicture = false;
  /** Returns the outcome of a file for a source. */
  onFinish: (fileId: string) => Promise<FileReport | undefined> = async () => undefined;
  /** Called before a push begins. */
  onPush: () => Promise<void> = async () => {};
  jpeg: () => Promise<Buffer> = async () => Buffer.from('jpeg');
}

/** Keeps the files of a nodes service in memory; tests replace what it does. */
export class FilesFake extends FilesFakeDefaults {
  /** Segments by file. */
  readonly stored = new Map<string, Buffer[]>();
  readonly finished: { size: number; fileName: string; preview: Buffer; name: string | undefined }[] = [];
  readonly abandoned: string[] = [];
  /** The key is the node. */
  readonly files = new Map<string, File & { readonly preview?: Buffer }>();
  #count = 0;

  reset(): void {
    for (const store of [this.stored, this.files]) store.clear();
    for (const list of [this.finished, this.abandoned]) list.length = 0;
    Object.assign(this, new FilesFakeDefaults());
  }

  handlers(note: (rpc: string, request: unknown, context: CallContext) => void): Handlers<FilesServiceService> {
    return {
      beginUpload: async (request, context) => {
        note('beginUpload', request, context);
        if (request.nodeRef === 'unknown') throw notFound();
        this.#count += 1;
        const fileId = String(this.#count).padStart(24, '0');
        this.stored.set(fileId, []);
        return { fileId, segmentBytes: SEGMENT_BYTES, maxBytes: MAX_BYTES };
      },
      writeSegment: async ({ fileId, index, data }) => {
        await this.onWrite(index);
        this.stored.get(fileId)![index] = Buffer.from(data);
        return { isPicture: index === 0 && this.isPicture };
      },
      finishUpload: async (request, context) => {
        note('finishUpload', request, context);
        const { size, fileName, preview, name } = request;
        this.finished.push({ size, fileName, preview, name });
        return { json: Buffer.from(JSON.stringify({ _id: request.fileId })) };
      },
      abandonUpload: async ({ fileId }) => {
        this.abandoned.push(fileId);
        this.stored.delete(fileId);
        return {};
      },
      getFile: async ({ nodeId }, context) => {
        note('getFile', { nodeId }, context);
        const file = this.files.get(nodeId);
        if (!file) throw notFound();
        return file;
      },
      readSegment: async ({ fileId, index, preview }) => {
        const data = preview
          ? [...this.files.values()].find((file) => file.fileId === fileId)?.preview
          : this.stored.get(fileId)?.[index];
        if (!data) throw notFound();
        return { data };
      },
    };
  }

  /** Makes the same of a devices service: files for sources. */
  ofSources(
    note: (rpc: string, request: unknown, context: CallContext) => void,
  ): Pick<
    Handlers<DevicesServiceService>,
    'beginFile' | 'beginPush' | 'writeFileSegment' | 'finishFile' | 'abandonFile'
  > {
    const { beginUpload, writeSegment, abandonUpload } = this.handlers(note);
    return {
      beginFile: async (request, context) => {
        note('beginFile', request, context);
        return beginUpload(request, context);
      },
      beginPush: async (request, context) => {
        note('beginPush', request, context);
        await this.onPush();
        return { ownerId: 'owner', file: await beginUpload({ nodeRef: '' }, context) };
      },
      writeFileSegment: async (request, context) => {
        note('writeFileSegment', request, context);
        await writeSegment(request, context);
        return {};
      },
      finishFile: async (request, context) => {
        note('finishFile', request, context);
        return { report: await this.onFinish(request.fileId) };
      },
      abandonFile: async (request, context) => {
        note('abandonFile', request, context);
        return abandonUpload(request, context);
      },
    };
  }

  /** Adds a file that is there, behind a node. */
  add(nodeId: string, bytes: Buffer, more: Partial<File> & { preview?: Buffer } = {}): void {
    const fileId = `f${nodeId.slice(1)}`;
    const segments = Array.from({ length: Math.ceil(bytes.length / SEGMENT_BYTES) }, (_, i) =>
      bytes.subarray(i * SEGMENT_BYTES, (i + 1) * SEGMENT_BYTES),
    );
    this.stored.set(fileId, segments);
    this.files.set(nodeId, {
      fileId,
      size: bytes.length,
      mimeType: 'image/png',
      fileName: 'site.png',
      segmentBytes: SEGMENT_BYTES,
      previewSize: more.preview?.length ?? 0,
      ...more,
    });
  }
}
