import type { ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { type Page, PageContext, usePage } from '../ui/page_context.ts';
import { Frame, Waiting } from './frame.tsx';
import type { PageKind } from './opener/address.ts';
import type { Channel } from './opener/channel.ts';
import { hasWayBack } from './opener/reload.ts';
import { Problem, type ProblemName } from './problem.tsx';
import { SessionPage } from './session/page.tsx';
import type { Opening } from './session/use_session.ts';

type Start =
  | { readonly problem: ProblemName }
  | { readonly kind: PageKind; readonly token: string; readonly channel: Channel };

interface AppProps {
  readonly page: Omit<Page, 'seen'>;
  readonly start: Start;
}

/** Pages without a session: an owner's page and Sandbox Bank. */
const others: Readonly<
  Record<Exclude<PageKind, 'flow'>, () => Promise<{ default: ComponentType<Opening> }>>
> = {
  owner: () => import('./owner/page.tsx'),
  bank: () => import('./bank/page.tsx'),
};

const isSandbox = () => document.documentElement.dataset.environment === 'sandbox';

function Other({ kind, ...opening }: Opening & { kind: Exclude<PageKind, 'flow'> }) {
  const [loaded, setLoaded] = useState<{ Page: ComponentType<Opening> } | null>(null);
  const [isLost, setLost] = useState(false);
  const load = () => {
    setLost(false);
    others[kind]().then(
      ({ default: Page }) => setLoaded({ Page }),
      () => setLost(true),
    );
  };
  useEffect(load, [kind]);
  if (loaded) return <loaded.Page {...opening} />;
  return (
    <Frame isSandbox={isSandbox()}>
      {isLost ? <Problem name="offlineStart" onRetry={load} /> : <Waiting />}
    </Frame>
  );
}

function Nothing({ name }: { readonly name: ProblemName }) {
  const { texts } = usePage();
  const again = name === 'unanswered' ? () => location.reload() : undefined;
  return (
    <Frame isSandbox={isSandbox()}>
      <Problem name={name} onRetry={again}>
        {name === 'used' && hasWayBack() && (
          <Button onClick={() => history.back()}>{texts.common.back}</Button>
        )}
      </Problem>
    </Frame>
  );
}

/** The root component. */
export function App({ page, start }: AppProps) {
  const onStep = useRef<(step: string) => void>(() => {});
  const whole = useMemo<Page>(() => ({ ...page, seen: (step) => onStep.current(step) }), [page]);
  const onSteps = useMemo(
    () => (seen: (step: string) => void) => {
      onStep.current = seen;
    },
    [],
  );
  return (
    <PageContext.Provider value={whole}>
      {'problem' in start ? (
        <Nothing name={start.problem} />
      ) : start.kind === 'flow' ? (
        <SessionPage token={start.token} channel={start.channel} onSteps={onSteps} />
      ) : (
        <Other kind={start.kind} token={start.token} channel={start.channel} onSteps={onSteps} />
      )}
    </PageContext.Provider>
  );
}
