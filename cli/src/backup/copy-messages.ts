import type { CopiedMessage } from '@catchment/bus';
import { StreamMessage } from '@catchment/contracts/copies';
import { framed, framesOf } from '@catchment/contracts/frames';
import type { BlobRef, StreamCopied } from './manifest.ts';
import type { Repository } from './repository.ts';

/** A file of messages holds at most so much and a message more. */
const FILE_BYTES = 64 * 1024 * 1024;

/** Keeps messages as they come, in files of a bounded size. */
export async function keepMessages(
  repository: Repository,
  messages: AsyncGenerator<CopiedMessage>,
): Promise<StreamCopied> {
  const blobs: BlobRef[] = [];
  let count = 0;
  let waiting = await messages.next();
  while (!waiting.done) {
    const file = async function* () {
      for (let bytes = 0; !waiting.done && bytes < FILE_BYTES; waiting = await messages.next()) {
        const { sequence, subject, headers, data } = waiting.value;
        const named = headers.map(([name, value]) => ({ name, value }));
        const frame = framed(
          StreamMessage.encode({ sequence, subject, headers: named, data: Buffer.from(data) }).finish(),
        );
        bytes += frame.byteLength;
        count += 1;
        yield frame;
      }
    };
    blobs.push(await repository.write(file()));
  }
  return { messages: count, blobs };
}

/** Yields the messages of a stream in their order. */
export async function* messagesOf(
  { blobs }: StreamCopied,
  read: (blob: BlobRef) => AsyncIterable<Uint8Array>,
): AsyncGenerator<CopiedMessage> {
  for (const blob of blobs)
    for await (const frame of framesOf(read(blob))) {
      const { sequence, subject, headers, data } = StreamMessage.decode(frame);
      yield { sequence, subject, headers: headers.map(({ name, value }) => [name, value] as const), data };
    }
}
