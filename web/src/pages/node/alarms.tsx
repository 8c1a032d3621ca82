import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { holdAlarms, keyOf } from '../../data/alarms/alarm-list.ts';
import type { Alarm } from '../../data/alarms/alarms.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import type { AlarmAction } from '../../parts/acknowledge-dialog.tsx';
import { placeOf } from '../../parts/alarm-names.ts';
import { AlarmPanel } from '../../parts/alarm-panel.tsx';
import { AlarmTable } from '../../parts/alarm-table.tsx';
import { EventTable, eventArguments, eventQueryOf } from '../../parts/event-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, Problem } from '../../ui/notes.tsx';
import type { Choice } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';

/** Shows alarms that are raised on the node and below it, and all that was raised, acknowledged and cleared on it before. */
export function NodeAlarms({ node }: { readonly node: Node }) {
  const { query, route } = useLocation();
  const { alarms: say, ui } = words.value;
  const held = useMemo(() => holdAlarms(node._id), [node._id]);
  useEffect(() => held.release, [held]);
  const [active, setActive] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const [asked, setAsked] = useState<{ readonly action: AlarmAction; readonly alarm: Alarm }>();
  const { alarms, isLoading, error } = held.list.value;
  const selected = alarms.find((alarm) => keyOf(alarm) === opened);
  return (
    <>
      {error !== undefined && (
        <Problem text={`${say.failed} ${errorText(error)}`} again={held.reload} againText={ui.again} />
      )}
      {alarms.length === 0 && !isLoading ? (
        <p class="all-well">
          <strong>{say.noNodeAlarms}.</strong> {say.noNodeAlarmsText}
        </p>
      ) : (
        <div class="raised" style={{ height: `${Math.min(alarms.length, 7) * 2.5 + 8}rem` }}>
          <AlarmTable
            alarms={alarms}
            isLoading={isLoading}
            fileName={node.name}
            active={active}
            onActive={setActive}
            onOpen={(alarm) => setOpened(keyOf(alarm))}
            onDone={held.reload}
            choice={preference<Choice>('columns.alarms').value ?? {}}
            onChoice={(next) => void setPreference('columns.alarms', next).catch(() => {})}
            asked={asked}
            onAnswered={() => setAsked(undefined)}
            empty={<EmptyState icon="check" title={say.noNodeAlarms} />}
          />
        </div>
      )}
      <h2 class="part-title">{say.history}</h2>
      <EventTable
        nodeId={node._id}
        query={{ ...eventQueryOf(query), ofAlarms: true }}
        onQuery={(next) => route(nodeAddress(node._id, 'alarms', eventArguments(next)), true)}
        fileName={node.name}
        isOfAlarms
      />
      {selected && (
        <Dialog
          title={placeOf(selected).name}
          closeText={ui.close}
          onClose={() => setOpened(undefined)}
          class="is-large"
        >
          <AlarmPanel
            alarm={selected}
            onAct={(action) => {
              setOpened(undefined);
              setAsked({ action, alarm: selected });
            }}
          />
        </Dialog>
      )}
    </>
  );
}
