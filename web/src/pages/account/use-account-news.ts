import { useEffect } from 'preact/hooks';
import { start } from '../../data/session/session.ts';
import { onEvents } from '../../data/streams/live.ts';
import { toast } from '../../ui/toast.tsx';
import { say } from './words.ts';

type AccountEvent = { readonly nodeId?: string; readonly username?: string; readonly message?: string };

/** Reads anew when somebody else changes such things of the account, and says who it was. */
export function useAccountNews(pattern: RegExp, again: () => void): void {
  const text = say();
  useEffect(
    () =>
      onEvents((event) => {
        const { nodeId, username = '', message = '' } = event as AccountEvent;
        if (nodeId || !pattern.test(message)) return;
        again();
        if (username !== start().person.email) toast(text.changedBy(username, message));
      }),
    [],
  );
}
