import type { EnvReader } from './env-reader.ts';

export const WEB = { protocols: ['http', 'https'] };

type WebAddresses = {
  /** `BASE_URL`: the API is here. */
  readonly baseUrl: string | undefined;
  /** `APP_URL`: people open pages here; the address of the API unless it is set. */
  readonly appUrl: string | undefined;
};

/** Reads the addresses at which others reach the installation; undefined: nobody has said it. */
export function webAddresses(read: EnvReader): WebAddresses {
  const baseUrl = read.optionalUrl('BASE_URL', WEB);
  return { baseUrl, appUrl: read.optionalUrl('APP_URL', WEB) ?? baseUrl };
}
