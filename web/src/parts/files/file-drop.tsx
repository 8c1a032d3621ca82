import { MOST_FILES, sendFiles, type UploadKind } from '../../data/transfers/uploads.ts';
import { Drop } from '../../ui/drop.tsx';
import { toast } from '../../ui/toast.tsx';
import { limitText } from './upload-list.tsx';
import { say } from './words.ts';

type FileDropProps = {
  readonly nodeId: string;
  readonly kind: UploadKind;
  /** Label in the job list. */
  readonly label: (count: number) => string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly types?: readonly string[];
  /** More about what is taken. */
  readonly hint?: string;
  /** @returns what is still missing, which is said by the caller */
  readonly lacks?: () => boolean;
};

/** Takes files for a node; its limits are said before anything is sent. */
export function FileDrop({ nodeId, kind, label, settings, types = [], hint = '', lacks }: FileDropProps) {
  const text = say();
  const take = async (files: readonly File[]) => {
    if (files.length === 0 || lacks?.()) return;
    if (files.length > MOST_FILES) toast(text.tooMany(files.length, MOST_FILES), { isBad: true });
    const count = Math.min(files.length, MOST_FILES);
    await sendFiles({ nodeId, kind, files, types, label: label(count), ...(settings && { settings }) });
  };
  const limits = [text.limits(limitText(kind), MOST_FILES), types.length > 0 && text.onlyTypes(types.join(', ')), hint];
  return (
    <Drop
      label={text.drop}
      choose={text.choose}
      onFiles={take}
      hint={limits.filter(Boolean).join(' ')}
      class="is-flat"
      isQuiet
      isMany
    >
      <strong>{text.drop}</strong> <span class="soft">{text.or}</span>
    </Drop>
  );
}
