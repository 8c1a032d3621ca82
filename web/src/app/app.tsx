import { useErrorBoundary, useMemo, useRef } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { base, overviewAddress } from '../data/addresses.ts';
import { isSessionOver, lostAccount, start } from '../data/session/session.ts';
import { PageNote } from '../parts/page-title.tsx';
import { useAfterPaint } from '../ui/after-paint.ts';
import { Button } from '../ui/button.tsx';

import { Toasts } from '../ui/toast.tsx';
import { words } from '../words/index.ts';
import { Frame } from './frame.tsx';
import { ROUTES } from './routes.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** Returns the links that the console follows by itself: not the report of a node, which is a file. */
const scope = (): RegExp => {
  const names = ROUTES.map(({ path }) => path.split('/')[1]).filter((name) => name !== 'n');
  return new RegExp(`^${base()}/(?:(?:${names.join('|')})(?![^/?#])|n/[^/?]+/(?!report))`);
};

export function App() {
  return (
    <LocationProvider scope={scope()}>
      <Frame>
        <PageOfAddress />
      </Frame>
      {isSessionOver.value && <SignInAgain />}
      <Toasts closeText={words.value.ui.close} />
    </LocationProvider>
  );
}

const pageOf = (path: string): string => path.split('/').slice(0, 5).join('/');

/** Another page takes its time: the frame marks first where the person goes. */
function PageOfAddress() {
  const now = useLocation();
  const page = pageOf(now.path);
  const isHere = useAfterPaint(page) === page;
  const shown = useRef(now);
  if (isHere) shown.current = now;
  const guarded = useMemo(() => <Guarded />, []);
  return <LocationProvider.ctx.Provider value={shown.current}>{guarded}</LocationProvider.ctx.Provider>;
}

/** Shows the page of the address; one that fails leaves the frame alone, and is tried again at the next address. */
function Guarded() {
  const { path } = useLocation();
  const { frame } = words.value;
  if (start().account.isDisabled || lostAccount.value === 'disabled')
    return (
      <PageNote icon="warning" title={frame.disabledAccount.title}>
        {frame.disabledAccount.advice}
      </PageNote>
    );
  if (lostAccount.value === 'access')
    return (
      <PageNote icon="warning" title={frame.lostAccount.title}>
        {frame.lostAccount.advice}
      </PageNote>
    );
  return <Pages key={pageOf(path)} />;
}

function Pages() {
  const [error] = useErrorBoundary((problem) => reportError(problem));
  const { frame } = words.value;
  if (error !== undefined) {
    const isLoading = /import|module|fetch/i.test(String(error?.message));
    return (
      <PageNote
        icon="warning"
        title={frame.failed.title}
        action={
          <Button look="main" onClick={() => location.reload()}>
            {frame.failed.reload}
          </Button>
        }
      >
        {isLoading ? frame.failed.loading : frame.failed.advice}
      </PageNote>
    );
  }
  return (
    <Router>
      {ROUTES.map(({ path, component }) => (
        <Route key={path} path={`${base()}${path}`} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
}

function NotFound() {
  const { notFound } = words.value.frame;
  return (
    <PageNote
      icon="map"
      title={notFound.title}
      action={
        <a class="button is-main" href={overviewAddress()}>
          {notFound.home}
        </a>
      }
    >
      {notFound.advice}
    </PageNote>
  );
}
