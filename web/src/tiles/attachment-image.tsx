import { useState } from 'preact/hooks';
import { Broken, Empty, Failed } from '../components/notes.tsx';
import { TimeText } from '../components/time-text.tsx';
import type { TileProps } from './content.ts';

/** The newest picture, whole, on its own ground. */
export function AttachmentImage({ content: { name, imageUrl, time } }: TileProps<'ATTACHMENT_IMAGE'>) {
  const [failed, setFailed] = useState<string>();
  if (name === null) return <Broken what="picture" />;
  if (imageUrl === null) return <Empty>There is no picture yet.</Empty>;
  if (failed === imageUrl) return <Failed what="picture" again={() => setFailed(undefined)} />;
  return (
    <figure class="picture">
      <img src={imageUrl} alt={name} loading="lazy" onError={() => setFailed(imageUrl)} />
      {time !== null && (
        <figcaption>
          <TimeText iso={time} />
        </figcaption>
      )}
    </figure>
  );
}
