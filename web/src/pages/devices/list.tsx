import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { deviceAddress, devicesAddress } from '../../data/addresses.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { MOST_DEVICES } from '../../data/sources/device-list.ts';
import type { Device } from '../../data/sources/devices.ts';
import { localeOf } from '../../data/times.ts';
import { useDraft } from '../../parts/typed-draft.ts';
import { tableWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { type Choice, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AddDialog, AddedDialog, type AddTyped, newTyped } from './add-dialog.tsx';
import { columnsOf } from './device-columns.tsx';
import { Card } from './device-row-card.tsx';
import { Nothing } from './no-devices.tsx';
import { type DeviceRow, isShownIn, SHOWN, type Shown } from './rows.ts';
import { useDeviceRows } from './use-device-rows.ts';
import { mayIn, useWorkspaces } from './use-workspaces.ts';
import { say } from './words.ts';

/** Shows all devices with their connections, kept current. */
export function DeviceList() {
  const text = say();
  const { ui } = words.value;
  const { query, route } = useLocation();
  const { typed, setTyped, isSearched, held, rows, sources, reload } = useDeviceRows();
  const draft = useDraft<AddTyped>('new device', newTyped());
  const [added, setAdded] = useState<Device>();
  const workspaces = useWorkspaces();
  const shown: Shown = SHOWN.find((choice) => choice === query.state) ?? 'all';
  const some = useMemo(() => rows.filter((row) => isShownIn(shown, row)), [rows, shown]);
  const workspaceNames = useMemo(
    () => new Map((workspaces.value ?? []).map(({ _id, name }) => [_id, name])),
    [workspaces.value],
  );
  const columns = useMemo(() => columnsOf(workspaceNames), [workspaceNames, language.value]);
  const mayAdd = (workspaces.value ?? []).some(({ _id }) => mayIn('CONFIGURE', workspaces.value, _id));
  const choice = preference<Choice>('columns.devices').value ?? {};
  const connected = rows.filter(({ device }) => device.isConnected).length;
  const add = mayAdd && (
    <Button look="main" icon="plus" onClick={() => draft.open('', newTyped())}>
      {text.add}
    </Button>
  );
  return (
    <>
      <div class="device-lead">
        <p class="soft" role="status">
          {held &&
            (held.isLoading && rows.length > 0 ? text.reading(rows.length) : text.connectedOf(connected, rows.length))}
        </p>
        {add}
      </div>
      {workspaces.value !== undefined && !mayAdd && <p class="soft">{text.readOnly}</p>}
      {held?.hasMore && <p class="soft">{text.cut(MOST_DEVICES)}</p>}
      {held?.error !== undefined && (
        <Problem text={`${text.failed} ${errorText(held.error)}`} again={reload} againText={ui.again} />
      )}
      {sources.value?.error !== undefined && (
        <Problem
          text={`${text.sources.failed} ${errorText(sources.value.error)}`}
          again={sources.reload}
          againText={ui.again}
        />
      )}
      <Table<DeviceRow>
        label={text.title}
        columns={columns}
        rows={some}
        keyOf={keyOf}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={text.title}
        filter={typed}
        onFilter={setTyped}
        onOpen={({ device }) => route(deviceAddress(device._id))}
        versionOf={versionOf}
        isBusy={held === undefined || held.isLoading}
        choice={choice}
        onChoice={(next) => void setPreference('columns.devices', next).catch(() => {})}
        card={{ below: 720, height: 100, show: (row) => <Card row={row} /> }}
        tools={
          <label class="tool">
            <span class="unseen">{text.state}</span>
            <select
              value={shown}
              onChange={({ currentTarget: { value } }) =>
                route(devicesAddress('list', value === 'all' ? {} : { state: value }), true)
              }
            >
              {SHOWN.map((choice) => (
                <option key={choice} value={choice}>
                  {text.states[choice]}
                </option>
              ))}
            </select>
          </label>
        }
        empty={
          held &&
          !held.isLoading &&
          held.error === undefined && <Nothing isPart={rows.length > 0 || isSearched} add={add} />
        }
      />
      {(held === undefined || held.isLoading) && rows.length === 0 && <Busy text={text.loading} />}
      {draft.target !== undefined && workspaces.value && (
        <AddDialog
          draft={draft}
          workspaces={workspaces.value}
          onAdded={(device) => {
            setAdded(device);
            reload();
          }}
        />
      )}
      {added && <AddedDialog made={added} onClose={() => setAdded(undefined)} />}
    </>
  );
}

const keyOf = ({ device }: DeviceRow): string => device._id;
const versionOf = ({ device, config }: DeviceRow): string => `${device.isConnected} ${device.lastConnected} ${config}`;
