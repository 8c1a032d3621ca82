import type { AcquisitionEvent } from '../domain/contact-event.ts';
import type { ContactFacts } from '../domain/facts.ts';

/** Other services know this of a source; undefined = they are not configured. */
export type Contacts = {
  contact(ownerId: string, sourceId: string): Promise<ContactFacts | undefined>;
  /** Newest first. */
  events(ownerId: string, nodeId: string): Promise<readonly AcquisitionEvent[] | undefined>;
};
