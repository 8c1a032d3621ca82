export { isDeviceNumber, isImei, newDeviceNumber } from './device-number.ts';
export { customIdProblem, type NodeRef, parseNodeRef, storedCustomId } from './node-ref.ts';
export { createdMsOf, idFrom, idFromAt, isObjectId, newObjectId, normaliseObjectId } from './object-id.ts';
export { fnv1a32, partitionOf } from './partition.ts';
export { onOneLine, textProblem } from './plain-text.ts';
export { COLUMNS_MAX, QUALITY_MAX, RECORDS_MAX, TEXT_MAX } from './record-limits.ts';
export { isApiKey, isPublicId, newApiKey, newPublicId, sha256OfKey } from './secrets.ts';
export { isStorableText, printable, STORABLE_TEXT, storableText } from './storable-text.ts';
