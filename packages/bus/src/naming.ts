import type { StreamName } from './streams.ts';

export type Naming = { readonly prefix: string };

export const streamName = (naming: Naming, stream: StreamName): string =>
  naming.prefix ? `${naming.prefix}_${stream}` : stream;
export const subjectName = (naming: Naming, subject: string): string =>
  naming.prefix ? `${naming.prefix}.${subject}` : subject;

/** The one object store has the files of people (docs/reference/attachments.md) in pieces. Its limit is the free disk of the broker. */
export const objectBucket = (naming: Naming): string => (naming.prefix ? `${naming.prefix}_FILES` : 'FILES');
/** Streams of object stores are named so. */
export const OBJECT_STREAM = 'OBJ_';
