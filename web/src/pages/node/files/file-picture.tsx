import { useState } from 'preact/hooks';
import { type Attachment, ownAddress } from '../../../data/nodes/attachments.ts';
import { Icon } from '../../../ui/icon.tsx';

/** Returns ".CSV" of "july.csv", as a sign of what it is. */
const endingOf = (name: string): string => /\.([\p{L}\p{N}]{1,5})$/u.exec(name)?.[1]?.toUpperCase() ?? '';

/** Shows a file in small: its preview, otherwise a sign with the ending of its name. */
export function FilePicture({ of, onBroken }: { readonly of: Attachment; readonly onBroken: () => void }) {
  const [broken, setBroken] = useState<string>();
  const link = of.filePreviewUrl;
  if (link === undefined || broken === link)
    return (
      <span class="file-sign" aria-hidden="true">
        <Icon name="file" />
        <span>{endingOf(of.fileName ?? of.name)}</span>
      </span>
    );
  return (
    <img
      src={ownAddress(link)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => {
        setBroken(link);
        onBroken();
      }}
    />
  );
}
