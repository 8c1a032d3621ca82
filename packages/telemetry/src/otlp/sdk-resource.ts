import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { resourceOf } from '../resource.ts';

/** What the SDK says of itself, and who tells. */
export const sdkResource = (service?: string): Resource =>
  defaultResource().merge(resourceFromAttributes(resourceOf(service)));
