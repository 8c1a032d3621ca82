import type { Document } from '@catchment/contracts/common';
import type { QualitySettings as Message } from '@catchment/contracts/owners';
import { DomainError } from '@catchment/errors';
import type { QualitySettings } from './settings.ts';

type Asked = { readonly ownerId: string };

/** The nodes service, as far as it knows of quality. */
export type QualityOwners<Options> = {
  getQualitySettings(request: Asked, options: Options): Promise<Message>;
  getQuality(request: Asked, options: Options): Promise<Document>;
};

/**
 * The quality settings of an account.
 * @param asked.ownerId empty = the caller's
 */
export async function readQuality<Options>(
  owners: QualityOwners<Options>,
  asked: Asked,
  options: Options,
): Promise<QualitySettings> {
  try {
    return (await owners.getQualitySettings(asked, options)) as QualitySettings;
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === 'unimplemented')) throw error;
    // While an update replaces one service after the other: nodes of the version before has no other answer.
    return JSON.parse((await owners.getQuality(asked, options)).json.toString()) as QualitySettings;
  }
}
