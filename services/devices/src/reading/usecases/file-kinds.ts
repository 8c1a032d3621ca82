import { type FileKind, processFile, processJts } from './process-file.ts';

export type { FileKind } from './process-file.ts';

/** Files are read by the class of their source (docs/reference/sources.md#kinds). */
const KINDS: Readonly<Record<string, FileKind>> = {
  'source.data.TextParser': processFile,
  'source.data.Jts': processJts,
};

/** These need another service: the wiring has them. */
const WIRED = ['source.attachment.AttachmentSource', 'source.data.Converter'] as const;
export type WiredKinds = Readonly<Partial<Record<(typeof WIRED)[number], FileKind>>>;

/** Sources whose class is not named were stored before it was. */
export function fileKindOf(sourceClass = 'source.data.TextParser', wired: WiredKinds = {}): FileKind {
  const kind = KINDS[sourceClass] ?? wired[sourceClass as keyof WiredKinds];
  if (!kind) throw new Error(`no files can come for ${sourceClass}`);
  return kind;
}

export const takesFiles = (sourceClass: string): boolean =>
  Object.hasOwn(KINDS, sourceClass) || (WIRED as readonly string[]).includes(sourceClass);
