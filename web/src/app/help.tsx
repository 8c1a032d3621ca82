import { signal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/index.ts';

export const isHelpOpen = signal(false);

/** All keys that do something. */
export function Help() {
  const { frame, ui } = words.value;
  const { help } = frame;
  const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [help.palette, [isMac ? '⌘ K' : 'Ctrl K', '/']],
    [help.overview, ['g o']],
    [help.alarms, ['g a']],
    [help.events, ['g e']],
    [help.dashboards, ['g d']],
    [help.reports, ['g r']],
    [help.tree, ['g t']],
    [help.next, ['j', 'k']],
    [help.acknowledge, ['a']],
    [help.edit, ['e']],
    [help.rename, ['F2']],
    [help.several, ['Shift ↓', 'Ctrl Space']],
    [help.help, ['?']],
  ];
  return (
    <Dialog
      title={help.title}
      closeText={ui.close}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {rows.map(([what, keys]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <span key={key} class="key">
                  {key.split(' ').map((stroke) => (
                    <kbd key={stroke}>{stroke}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
