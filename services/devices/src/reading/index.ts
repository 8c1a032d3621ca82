export { type FileEvent, type FileOutcome, IGNORED, type Processed } from './domain/file-outcome.ts';
export { fileReport } from './domain/file-report.ts';
export { previewHandlers } from './transport/preview-handlers.ts';
export { type FileBytes, storedBytes } from './usecases/archive/file-bytes.ts';
export { isNamedZip, withoutGz } from './usecases/archive/members.ts';
export { convertFiles } from './usecases/convert-file.ts';
export { fileKindOf, takesFiles, type WiredKinds } from './usecases/file-kinds.ts';
export { type FileKind, ignoredFile, processFile } from './usecases/process-file.ts';
export { processImport } from './usecases/process-import.ts';
