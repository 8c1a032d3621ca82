import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { resourceOf } from '../resource.ts';

/** Returns what the SDK says of itself, and who reports. */
export const sdkResource = (service?: string): Resource =>
  defaultResource().merge(resourceFromAttributes(resourceOf(service)));
