import type { TileView } from '@catchment/dashboard-view';
import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useId } from 'preact/hooks';
import { nameOfTile } from '../live/page-state.ts';
import { TileContentView } from '../tiles/tile-content.tsx';
import { Icon } from '../ui/icon.tsx';
import { type Place, spanOfSix, spanOfTwo } from './arrange.ts';
import { Failed } from './notes.tsx';
import { usePage } from './page-context.ts';

const ALARM_WORDS = { ACTIVE: 'Alarm', ACKNOWLEDGED: 'Acknowledged' } as const;

type TileProps = { readonly id: string; readonly place: Place };

/** Draws a tile with its label and the paint of its style and its alarm. */
export function Tile({ id, place }: TileProps) {
  const tile = usePage().tileOf(id).value;
  const { style, alarm, content } = tile;
  const name = nameOfTile(tile);
  const heading = useId();
  return (
    <article
      class={`tile of-${content.type.toLowerCase().replaceAll('_', '-')}`}
      data-style={style}
      data-alarm={alarm ?? undefined}
      data-flat={place.h === 1 ? '' : undefined}
      aria-labelledby={heading}
      style={{
        '--x': place.x + 1,
        '--y': place.y + 1,
        '--w': place.w,
        '--h': place.h,
        '--of-two': spanOfTwo(place.w),
        '--of-six': spanOfSix(place.w),
      }}
    >
      <div class="tile-head">
        <h2 id={heading} class={isNamed(tile) ? undefined : 'unseen'} title={name} dir="auto">
          {name}
        </h2>
        {alarm && (
          <span class="alarm">
            <Icon name={alarm === 'ACTIVE' ? 'bell' : 'check'} />
            {ALARM_WORDS[alarm]}
          </span>
        )}
      </div>
      <div class="tile-body">
        <Guarded key={content.type}>
          <TileContentView tile={tile} name={name} />
        </Guarded>
      </div>
    </article>
  );
}

/** A text or a picture without a label needs no name of its kind above it; screen readers get one. */
const isNamed = ({ label, content }: TileView): boolean =>
  label !== '' ||
  !['STATIC_TEXT', 'ATTACHMENT_IMAGE', 'VALUE_LIST', 'HISTORIC_TABLE', 'STANDARD_CHART'].includes(content.type);

/** A tile that fails leaves the others alone. */
function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error !== undefined) return <Failed what="content of this tile" again={reset} />;
  return <>{children}</>;
}
