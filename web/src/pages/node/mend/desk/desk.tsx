import { useState } from 'preact/hooks';
import { MendChart, type Pointer } from '../chart.tsx';
import { between, lassoed, nearest } from '../selections.ts';
import { say } from '../words.ts';
import { Bar } from './bar.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { RecordList } from './record-list.tsx';
import { SaveBar } from './save-bar.tsx';
import { ToolFields } from './tool-fields.tsx';
import { type DeskProps, useDesk } from './use-desk.ts';

/** Lets people choose and change records. */
export function Desk(props: DeskProps) {
  const text = say();
  const desk = useDesk(props);
  const { work, find, said } = desk;
  const [pointer, setPointer] = useState<Pointer>('drag');
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (!(event.ctrlKey || event.metaKey) || isField) return;
    const key = event.key.toLowerCase();
    const does = key === 'y' || (key === 'z' && event.shiftKey) ? desk.redo : key === 'z' ? desk.undo : undefined;
    if (!does) return;
    event.preventDefault();
    does();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the desk hears the keys of all fields in it
    <div class="mend-desk" onKeyDown={onKeyDown}>
      {!desk.mayEdit && <p class="mend-note">{text.qualityOnly}</p>}
      {desk.mayEdit && !desk.transform && <p class="mend-note">{text.equation}</p>}
      <Bar desk={desk} pointer={pointer} onPointer={setPointer} />
      <ToolFields desk={desk} />
      <p class={said === '' ? 'unseen' : 'mend-note'} role="status">
        {said}
      </p>
      {desk.isNumber && (
        <MendChart
          node={props.node}
          range={props.range}
          base={desk.base}
          work={work}
          mask={desk.mask}
          version={desk.version}
          pointer={pointer}
          onRange={(startMs, endMs) => find(between(work, startMs, endMs))}
          onLasso={(corners) => {
            if (find(lassoed(work, corners)) === 0) desk.setSaid(text.lassoNone);
          }}
          onPoint={(ms, withinMs) => find(nearest(work, ms, withinMs))}
        />
      )}
      <RecordList desk={desk} />
      <SaveBar desk={desk} />
      {desk.unsaved.isLeaving && <LeaveDialog unsaved={desk.unsaved} />}
    </div>
  );
}
