import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import type { ComponentProps } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { Frame, Waiting } from '../ui/frame.tsx';
import { LockIcon } from '../ui/icons.tsx';
import { keepPage, takeKeptPage } from '../ui/kept_page.ts';
import { type Page, PageContext } from '../ui/page_context.ts';
import { Problem } from '../ui/problem.tsx';
import { Step } from '../ui/step.tsx';
import { texts } from '../ui/texts/en.ts';
import { Account } from './account.tsx';
import { call } from './api.ts';
import { Codes } from './codes.tsx';
import { Device } from './device.tsx';
import { Invitation } from './invitation.tsx';
import { NewPasskey, SignIn, type StartProps } from './sign_in.tsx';
import { words } from './texts.ts';

/**
 * The things that the address may bring: an invitation, the link of a sandbox's start, the
 * organization at which somebody signs in, the reason why that failed, and the code of a program.
 */
export const broughtKinds = ['invitation', 'link', 'organization', 'failure', 'code'] as const;
export interface Brought {
  readonly kind: (typeof broughtKinds)[number];
  readonly token: string;
}

type Shown =
  | { readonly is: 'waiting' | 'offline' | 'used_link' }
  | ({ readonly is: 'sign_in' } & Partial<StartProps>)
  | { readonly is: 'invitation'; readonly token: string }
  | { readonly is: 'codes'; readonly codes: readonly string[]; readonly session: CurrentSession }
  | { readonly is: 'signed_in'; readonly session: CurrentSession; readonly notice?: string };

/** Finds the first thing to show. A link of the address is used up by this. */
async function begin(brought: Brought | null): Promise<Shown> {
  const { kind, token = '' } = brought ?? {};
  if (kind === 'invitation') return { is: 'invitation', token };
  const told = kind === 'failure' ? { notice: words.organization.failed(token) } : {};
  const answer =
    kind === 'link' ? await call('signInByLink', { token }) : await call('getSession', {});
  if (answer.ok && kind === 'link') keepPage('/portal');
  if (answer.ok) return { is: 'signed_in', session: answer.value, ...told };
  const { failure } = answer;
  if (failure.kind === 'lost')
    return { is: 'sign_in', ...told, ...(kind === 'organization' && { organization: token }) };
  if (failure.kind !== 'refused') return { is: 'offline' };
  return failure.reason === 'used_or_expired' ? { is: 'used_link' } : { is: 'sign_in', failure };
}

function UsedLink({ onSignIn }: { readonly onSignIn: () => void }) {
  return (
    <Step name="used" title={words.link.title} sign={{ tone: 'calm', icon: <LockIcon /> }}>
      <p class="lead">{words.link.text}</p>
      <p>
        <code>{words.link.command}</code>
      </p>
      <p class="aside">{words.link.others}</p>
      <Actions>
        <Button onClick={onSignIn}>{words.signIn.title}</Button>
      </Actions>
    </Step>
  );
}

interface AppProps {
  readonly brought: Brought | null;
  /** Somebody comes to approve a program, and not for the own account. */
  readonly isDevice: boolean;
}

/**
 * The page of somebody who is signed in: a first passkey, the own account, or a program to approve.
 */
function SignedIn(props: AppProps & ComponentProps<typeof Account>) {
  const { brought, isDevice, ...account } = props;
  const { session, onSession, onSignedOut } = account;
  if (session.must_add_passkey) return <NewPasskey onSignedIn={onSession} />;
  if (!isDevice) return <Account {...account} />;
  const code = brought?.kind === 'code' ? brought.token : '';
  return <Device session={session} code={code} onSession={onSession} onLost={onSignedOut} />;
}

function Body(props: AppProps) {
  const { brought } = props;
  const [shown, show] = useState<Shown>({ is: 'waiting' });
  /**
   * Goes to the page of the portal that was asked for, unless something is left to be done here.
   */
  const enter = (next: Shown) => {
    const isDone = next.is === 'signed_in' && !next.notice && !next.session.must_add_passkey;
    const page = isDone && !props.isDevice ? takeKeptPage() : null;
    if (page === null) show(next);
    else location.replace(page);
  };
  const start = () => {
    show({ is: 'waiting' });
    void begin(brought).then(enter);
  };
  useEffect(start, [brought]);
  const signedIn = (session: CurrentSession) => enter({ is: 'signed_in', session });
  /** A reading that comes late takes nothing off the page, such as codes that are shown once. */
  const renew = (session: CurrentSession) =>
    show((now) => (now.is === 'signed_in' || now.is === 'codes' ? { ...now, session } : now));
  const signIn = () => show({ is: 'sign_in' });
  switch (shown.is) {
    case 'waiting':
      return <Waiting />;
    case 'offline':
      return <Problem name="offlineStart" onRetry={start} />;
    case 'used_link':
      return <UsedLink onSignIn={signIn} />;
    case 'sign_in':
      return (
        <SignIn
          onSignedIn={signedIn}
          failure={shown.failure ?? null}
          notice={shown.notice ?? null}
          organization={shown.organization ?? null}
        />
      );
    case 'invitation':
      return (
        <Invitation
          token={shown.token}
          onAccepted={(session, codes) => {
            // The page that is shown once the person has kept the codes.
            keepPage(session.scope === 'platform' ? '/console' : '/portal');
            if (codes) show({ is: 'codes', codes, session });
            else signedIn(session);
          }}
          onSignIn={signIn}
        />
      );
    case 'codes':
      return <Codes codes={shown.codes} onKept={() => signedIn(shown.session)} />;
    default:
      return (
        <SignedIn
          {...props}
          session={shown.session}
          notice={shown.notice ?? null}
          onSession={renew}
          onCodes={(codes) => show({ is: 'codes', codes, session: shown.session })}
          onSignedOut={signIn}
        />
      );
  }
}

/** The root component. */
export function App(props: AppProps) {
  const page = useMemo<Page>(
    () => ({
      texts: { ...texts, refusals: { ...texts.refusals, ...words.refusals } },
      locale: 'en',
      tenantName: words.product,
      isFramed: false,
      seen: () => {},
    }),
    [],
  );
  const isSandbox = document.documentElement.dataset.environment === 'sandbox';
  return (
    <PageContext.Provider value={page}>
      <Frame isSandbox={isSandbox} isOfTenant={false}>
        <Body {...props} />
      </Frame>
    </PageContext.Provider>
  );
}
