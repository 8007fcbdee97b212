import { Outlet } from '@tanstack/react-router';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { lazy, Suspense, useEffect } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { isElsewhere } from '../../staff/api/shown.ts';
import { Frame } from '../../staff/shell/frame.tsx';
import { PersonMenu } from '../../staff/shell/person_menu.tsx';
import { Choose, Coming, Starting, useAct } from '../../staff/shell/starting.tsx';
import { VisitInstead } from '../../staff/shell/visit.tsx';
import { Find } from './find.tsx';
import { pageGroups } from './pages.ts';

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

/** Loaded with the pages of a group, when another window has moved the session. */
const Moved = lazy(async () => ({ default: (await import('../groups/platform.ts')).Moved }));

/** The console: the pages of the platform's own people. */
export function Shell() {
  const session = useRead('GET /portal/api/session', {});
  const { data } = session;
  if (!data) return <Starting session={session} />;
  const isHere = data.scope === 'platform';
  if (isElsewhere(isHere ? data.scope : null))
    return (
      <Suspense fallback={<Coming />}>
        <Moved session={data} />
      </Suspense>
    );
  if (data.visit) return <VisitInstead visit={data.visit} scope={data.scope} />;
  if (!isHere) return <Enter session={data} />;
  return (
    <Frame
      session={data}
      name="Operations console"
      groups={pageGroups}
      tools={
        <>
          <Find />
          <PersonMenu session={data} />
        </>
      }
    >
      <Outlet />
    </Frame>
  );
}
