import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isSandbox } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { isElsewhere } from '../../staff/api/shown.ts';
import { TenantClock } from '../../staff/parts/clock.tsx';
import { Frame } from '../../staff/shell/frame.tsx';
import { PersonMenu } from '../../staff/shell/person_menu.tsx';
import { ChooseTenant, Coming, Starting } from '../../staff/shell/starting.tsx';
import { VisitBanner, VisitInstead } from '../../staff/shell/visit.tsx';
import { ChaosBanner } from './chaos_banner.tsx';
import { Jump } from './jump.tsx';
import { pageGroups } from './pages.ts';

/** Loaded with the pages of a group, when another window has moved the session. */
const Moved = lazy(async () => ({ default: (await import('../groups/tenant.ts')).Moved }));

/** The portal: the pages of one Tenant, for who is signed in there. */
export function Shell() {
  const session = useRead('GET /portal/api/session', {});
  const { data } = session;
  if (!data) return <Starting session={session} />;
  const { visit, scope } = data;
  const tenant = scope === 'platform' ? null : scope;
  if (isElsewhere(tenant))
    return (
      <Suspense fallback={<Coming />}>
        <Moved session={data} />
      </Suspense>
    );
  if (tenant === null) return <ChooseTenant session={data} />;
  if (visit?.over) return <VisitInstead visit={visit} scope={scope} />;
  return (
    <Frame
      session={data}
      name="Tenant Payments"
      groups={pageGroups}
      tools={
        <>
          <Jump />
          <PersonMenu session={data} />
        </>
      }
      banner={
        <>
          {visit && <VisitBanner visit={visit} scope={scope} />}
          {isSandbox && <ChaosBanner />}
        </>
      }
    >
      <TenantClock>
        <Outlet />
      </TenantClock>
    </Frame>
  );
}
