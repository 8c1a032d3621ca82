import type { DeviceSource } from '../../registry/index.ts';

/**
 * Returns the source that takes a modem's data: the oldest one, or the one that the message names by id, `@customId` or name (in
 * any letter case). Undefined when none matches.
 * @param sources of the device, oldest first
 */
export function chooseSource(sources: readonly DeviceSource[], named: string | undefined): DeviceSource | undefined {
  if (named === undefined) return sources[0];
  const lower = named.toLowerCase();
  return (
    sources.find(
      (source) => source.sourceId === lower || (source.customId !== '' && `@${source.customId}` === named),
    ) ?? sources.find((source) => source.name.toLowerCase() === lower)
  );
}
