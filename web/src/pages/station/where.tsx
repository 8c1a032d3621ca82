import { className } from '../../data/nodes/classes.ts';
import { iconOf } from '../../data/nodes/node-icons.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { draft } from './draft.ts';
import { FirstWorkspace } from './first-workspace.tsx';
import { useWhere } from './use-where.ts';
import { say } from './words.ts';

const FEW = 6;
const MAY_HOLD = /\.(?:Workspace|Group|Location)$/;

/** Asks in which place, folder or Workspace it will be. */
export function Where() {
  const text = say();
  const { ui } = words.value;
  const d = draft();
  const { first, all, isMade, isOther, setOther, problem, choose } = useWhere();
  if (d.parent !== undefined && !isOther)
    return (
      <div>
        <span class="station-label">{text.where}</span>
        <p class="station-parent">
          <Icon name={iconOf(d.parent._class)} />
          <bdi>{d.parent.name}</bdi>
          <span class="soft">{className(d.parent._class)}</span>
          {!isMade && (
            <Button look="bare" onClick={() => setOther(true)}>
              {text.whereOther}
            </Button>
          )}
        </p>
        {!may('CONFIGURE', d.parent) && <p class="problem">{text.notAllowed}</p>}
      </div>
    );
  return (
    <fieldset class="station-where">
      <legend class="station-label">{text.where}</legend>
      {first.error !== undefined && <Problem text={errorText(first.error)} again={first.again} againText={ui.again} />}
      {first.value !== undefined && all.length === 0 && !isAdministrator() && <p class="problem">{text.notAllowed}</p>}
      {first.value !== undefined && all.length === 0 && isAdministrator() && <FirstWorkspace onMade={choose} />}
      {all.length > 0 && (
        <>
          <p class="hint">{text.whereHint}</p>
          <p class="station-choices">
            {all.slice(0, FEW).map((place) => (
              <Button key={place._id} icon={iconOf(place._class)} onClick={() => choose(place._id)}>
                <bdi>{place.name}</bdi>
              </Button>
            ))}
          </p>
          <NodeSearch
            label={text.whereSearch}
            hint={text.whereSearch}
            accepts={({ _class }) => MAY_HOLD.test(_class)}
            onChoose={({ _id }) => void choose(_id)}
          />
        </>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
