import type { ComponentType } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { type Page, PageContext } from '../ui/page_context.ts';
import { Problem, type ProblemName } from '../ui/problem.tsx';
import { BankPage } from './bank/page.tsx';
import { PlaidPage } from './bank/plaid.tsx';
import { PlaidIdentityPage } from './bank/plaid_identity.tsx';
import type { PageKind } from './opener/address.ts';
import type { Channel } from './opener/channel.ts';
import { hasWayBack } from './opener/reload.ts';
import { OwnerPage } from './owner/page.tsx';
import { SessionPage } from './session/page.tsx';
import type { Opening } from './session/use_session.ts';
import { usePage } from './use_page.ts';

type Start =
  | { readonly problem: ProblemName }
  | { readonly kind: PageKind; readonly token: string; readonly channel: Channel };

interface AppProps {
  readonly page: Omit<Page, 'seen'>;
  readonly start: Start;
}

/** A flow has a session; an owner's page and Sandbox Bank have none. */
const pages: Readonly<Record<PageKind, ComponentType<Opening>>> = {
  flow: SessionPage,
  owner: OwnerPage,
  bank: document.documentElement.dataset.widget === 'plaid' ? PlaidPage : BankPage,
  identity: PlaidIdentityPage,
};

const isSandbox = () => document.documentElement.dataset.environment === 'sandbox';

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

function Opened({ kind, ...opening }: Opening & { readonly kind: PageKind }) {
  const Page = pages[kind];
  return <Page {...opening} />;
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
      ) : (
        <Opened kind={start.kind} token={start.token} channel={start.channel} onSteps={onSteps} />
      )}
    </PageContext.Provider>
  );
}
