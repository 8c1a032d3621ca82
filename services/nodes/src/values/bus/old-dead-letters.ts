import { type DeadLetter, DeadLetters } from '@catchment/bus';
import { AppliedGroup } from '@catchment/contracts/ingest';
import { isStorableText } from '@catchment/ids';
import { counter, type Logger } from '@catchment/telemetry';

const dropped = counter({
  name: 'catchment_dead_letters_dropped_total',
  help: 'Dead letters of an earlier release that were dropped at a start, because they are no longer needed.',
});

/** Earlier releases put messages aside like this that PostgreSQL refused: without its reason. */
const isOld = ({ reader, reason }: DeadLetter): boolean =>
  /^nodes-\d+$/.test(reader) && /^failed \d+ times$/.test(reason);

/**
 * Drops the dead letters that earlier releases made of texts with U+0000. A dead letter holds what was written for many
 * accounts: it is handled once more, as a late message, before it is gone. Should it fail again, it is a new dead
 * letter, with its reason.
 */
export async function dropOldDeadLetters({
  url,
  name,
  log,
  prefix,
}: {
  readonly url: string;
  readonly name: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly prefix?: string;
}): Promise<void> {
  const deadLetters = await DeadLetters.open({ url, name, ...(prefix !== undefined && { prefix }) });
  try {
    for await (const deadLetter of deadLetters.list()) {
      if (!isOld(deadLetter)) continue;
      const nodeIds = nodesWithUnstorable((await deadLetters.get(deadLetter.number)).data);
      if (nodeIds.length === 0) continue;
      await deadLetters.retry(deadLetter.number);
      dropped.add({});
      const { number, reader, sequence } = deadLetter;
      log.warn(
        { number, reader, sequence, nodeIds, reason: 'texts with U+0000 or half of a character' },
        'dead letter of an earlier release dropped: what it says is handled again, without what cannot be kept',
      );
    }
  } finally {
    await deadLetters.close();
  }
}

/** Series of a message of stored records that have such a text. */
function nodesWithUnstorable(data: Uint8Array): string[] {
  const { batches } = AppliedGroup.decode(data);
  return batches
    .flatMap(({ series }) => series)
    .filter(({ newest, oldest, edges }) =>
      [
        ...newest,
        ...(oldest ? [oldest] : []),
        ...(edges ? [...edges.newest, ...(edges.oldest ? [edges.oldest] : [])] : []),
      ].some(({ value }) => value?.$case === 'text' && !isStorableText(value.value)),
    )
    .map(({ nodeId }) => nodeId);
}
