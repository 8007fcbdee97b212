import { Outlet } from '@tanstack/react-router';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useEffect } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { holds } from '../../staff/api/session.tsx';
import { Frame } from '../../staff/shell/frame.tsx';
import { PersonMenu } from '../../staff/shell/person_menu.tsx';
import { Choose, Coming, Starting, useAct } from '../../staff/shell/starting.tsx';
import { VisitInstead } from '../../staff/shell/visit.tsx';
import { Find } from './find.tsx';
import { groupsWith, type Waiting } from './pages.ts';

/** Staff who act in a Tenant come here to act for the platform; nobody else has a page here. */
function Enter({ session }: { readonly session: CurrentSession }) {
  const act = useAct();
  const isStaff = session.scopes.some(({ scope }) => scope === 'platform');
  const { mutate } = act;
  useEffect(() => {
    if (isStaff) mutate('platform');
  }, [isStaff, mutate]);
  if (isStaff && !act.error) return <Coming />;
  return (
    <Choose
      title="Operations console"
      text="Only the staff of the platform works here. Ask an admin for an invitation."
      scopes={[]}
      error={act.error}
    />
  );
}

/** The console: the pages of the platform's own people. */
export function Shell() {
  const session = useRead('GET /portal/api/session', {});
  const { data } = session;
  if (!data) return <Starting session={session} />;
  if (data.visit) return <VisitInstead visit={data.visit} scope={data.scope} />;
  if (data.scope !== 'platform') return <Enter session={data} />;
  return <Staffed session={data} />;
}

const everyMs = 30_000;

/** How many alarms are open; no entry: none. */
function useAlarms(): Waiting {
  const { data } = useRead('GET /portal/api/alarms/count', {}, everyMs);
  return data && data.open > 0 ? { '/alarms': String(data.open) } : {};
}

interface FramedProps {
  readonly session: CurrentSession;
  readonly waiting: Waiting;
}

/** The pages, with what waits beside the way to each. */
const Framed = ({ session, waiting }: FramedProps) => (
  <Frame
    session={session}
    name="Operations console"
    groups={groupsWith(waiting)}
    tools={
      <>
        <Find />
        <PersonMenu session={session} />
      </>
    }
  >
    <Outlet />
  </Frame>
);

const most = 100;

/** Admins also see how many requests wait for one of them. */
function ForAdmins({ session, waiting }: FramedProps) {
  const asked = { status: 'waiting', limit: most } as const;
  const { data } = useRead('GET /portal/api/platform-approvals', asked, everyMs);
  const count = data?.data.length ?? 0;
  const shown: Waiting = count === 0 ? {} : { '/requests': `${count}${data?.has_more ? '+' : ''}` };
  return <Framed session={session} waiting={{ ...waiting, ...shown }} />;
}

function Staffed({ session }: { readonly session: CurrentSession }) {
  const waiting = useAlarms();
  const Page = holds(session, ['admin']) ? ForAdmins : Framed;
  return <Page session={session} waiting={waiting} />;
}
