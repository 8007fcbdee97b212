import type { OwnPasskey, OwnSession } from '@tenant-payments/backoffice/contract/people/my.ts';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { Waiting } from '../ui/frame.tsx';
import { takeKeptPage } from '../ui/kept_page.ts';
import { Notice } from '../ui/notice.tsx';
import { Rows } from '../ui/rows.tsx';
import { Step } from '../ui/step.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { words } from './texts.ts';
import { Trouble } from './trouble.tsx';
import { useWork, type Work } from './use_work.ts';

interface AccountProps {
  readonly session: CurrentSession;
  /** Why what the person began elsewhere came to nothing. */
  readonly notice: string | null;
  readonly onSession: (session: CurrentSession) => void;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onSignedOut: () => void;
}

interface ElsewhereProps {
  readonly session: Pick<CurrentSession, 'scope' | 'scopes'>;
  /** The page's own, which does nothing else meanwhile. */
  readonly work: Work;
  readonly onSession: (session: CurrentSession) => unknown;
}

/** Moves the session to where else it may act. */
export function Elsewhere({ session, work, onSession }: ElsewhereProps) {
  const others = session.scopes.filter(({ scope }) => scope !== session.scope);
  const act = (scope: string) =>
    work.run(async () => {
      const now = await work.ask('actIn', { scope });
      if (now) await onSession(now);
    });
  if (others.length === 0) return null;
  return (
    <Actions>
      {others.map(({ scope, name: other }) => (
        <Button key={scope} look="secondary" onClick={() => void act(scope)}>
          {`${words.account.change}: ${other}`}
        </Button>
      ))}
    </Actions>
  );
}

/** The scope in which the session acts, its roles there, and the ways to another scope. */
function Acting(props: Pick<AccountProps, 'session' | 'onSession'>) {
  const { scopes, scope: acting, roles } = props.session;
  const { account, roles: names } = words;
  const work = useWork();
  const name = scopes.find(({ scope }) => scope === acting)?.name;
  const held = roles.map((role) => names[role]).join(', ');
  return (
    <>
      <Rows
        rows={[
          { name: account.acts, value: name ?? account.noScope },
          { name: account.roles, value: held || account.noScope },
        ]}
      />
      <Trouble work={work} />
      <Elsewhere {...props} work={work} />
    </>
  );
}

/** The way to the page that was left for another sign-in that came to nothing, or to the portal. */
function Onward({ session: { scope }, notice }: Pick<AccountProps, 'session' | 'notice'>) {
  const { account } = words;
  const [left] = useState(() => (notice === null ? null : takeKeptPage()));
  const isMember = scope !== null && scope !== 'platform';
  if (left === null && !isMember) return null;
  return (
    <a class="button is-primary" href={left ?? '/portal'}>
      {left === null ? account.portal : account.back}
    </a>
  );
}

interface Lists {
  readonly sessions: readonly OwnSession[];
  readonly passkeys: readonly OwnPasskey[];
}

/** Sessions, passkeys and recovery codes of whoever is signed in. */
export function Account({ session, notice, onSession, onCodes, onSignedOut }: AccountProps) {
  const { account } = words;
  const work = useWork();
  const [lists, setLists] = useState<Lists | null>(null);
  const byProvider = session.opened_by === 'single_sign_on';
  const load = async () => {
    // A session of a provider reaches none of the person's own (rules/single-sign-on#3).
    if (byProvider) return;
    const sessions = await work.ask('listMySessions', {});
    const passkeys = sessions && (await work.ask('listMyPasskeys', {}));
    const now = passkeys && (await work.ask('getSession', {}));
    if (!sessions || !passkeys || !now) return;
    setLists({ sessions: sessions.data, passkeys: passkeys.data });
    onSession(now);
  };
  useEffect(() => void work.run(load), [session.id]);
  const newCodes = () =>
    work.run(async () => {
      const made = await work.asked('replaceMyRecoveryCodes', {});
      if (made) onCodes(made.recovery_codes);
    });
  const link = () =>
    work.run(async () => {
      const begun = await work.asked('beginSingleSignOnLink', { return_to: '/portal/sign-in' });
      if (begun) location.assign(begun.redirect_url);
    });
  const signOut = () =>
    work.run(async () => {
      if (await work.ask('signOut', {})) onSignedOut();
    });
  return (
    <Step name="account" title={account.title}>
      <p class="lead">{session.person?.email}</p>
      {notice !== null && <Notice tone="bad">{notice}</Notice>}
      <Acting session={session} onSession={onSession} />
      <Trouble work={work} />
      {lists === null && work.failure === null && !byProvider && <Waiting />}
      {lists && <Sessions sessions={lists.sessions} onChange={load} onSignedOut={onSignedOut} />}
      {lists && <Passkeys passkeys={lists.passkeys} onChange={load} />}
      {!byProvider && <p>{account.codes(session.recovery_codes ?? 0)}</p>}
      <Actions>
        {lists && lists.passkeys.length > 0 && (
          <Button look="secondary" isBusy={work.isBusy} onClick={() => void newCodes()}>
            {account.newCodes}
          </Button>
        )}
        {session.single_sign_on && session.opened_by === 'passkey' && (
          <Button look="secondary" isBusy={work.isBusy} onClick={() => void link()}>
            {words.organization.link}
          </Button>
        )}
        <Onward session={session} notice={notice} />
        <Button look="quiet" onClick={() => void signOut()}>
          {account.signOut}
        </Button>
      </Actions>
    </Step>
  );
}
