import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAsked } from '../../data/requests/use-asked.ts';
import { may } from '../../data/session/rights.ts';
import { listChildren } from '../../data/tree/children.ts';
import { errorText } from '../../words/error-text.ts';
import { change, draft } from './draft.ts';
import { parentOf } from './parent-of.ts';

/** Returns Workspaces to choose from, and the choice: by the address, by hand, or of the only one. */
export function useWhere() {
  const { query } = useLocation();
  const d = draft();
  const [isOther, setOther] = useState(false);
  const [problem, setProblem] = useState('');
  const first = useAsked((signal) => listChildren({ limit: 50 }, signal), []);
  const all = (first.value?.nodes ?? []).filter((node) => /\.Workspace$/.test(node._class) && may('CONFIGURE', node));
  const isMade = Object.values(d.made).some(({ isDone }) => isDone);
  const choose = async (id: string) => {
    setProblem('');
    try {
      change({ parent: await parentOf(id) });
      setOther(false);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const asked = query.in;
  useEffect(() => {
    if (asked !== undefined && asked !== d.parent?._id && !isMade) void choose(asked);
  }, [asked]);
  // A person with one Workspace need not be asked.
  const only = first.value !== undefined && first.value.next == null && all.length === 1 ? all[0] : undefined;
  useEffect(() => {
    if (only !== undefined && d.parent === undefined && asked === undefined) void choose(only._id);
  }, [only?._id]);
  return { first, all, isMade, isOther, setOther, problem, choose };
}
