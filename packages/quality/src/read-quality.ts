import type { QualitySettings as Message } from '@catchment/contracts/owners';
import type { QualitySettings } from './settings.ts';

type Asked = { readonly ownerId: string };

/** The nodes service, as far as it knows of quality. */
export type QualityOwners<Options> = {
  getQualitySettings(request: Asked, options: Options): Promise<Message>;
};

/**
 * Reads the quality settings of an account.
 * @param asked.ownerId empty = the caller's
 */
export async function readQuality<Options>(
  owners: QualityOwners<Options>,
  asked: Asked,
  options: Options,
): Promise<QualitySettings> {
  return (await owners.getQualitySettings(asked, options)) as QualitySettings;
}
