import { Outlet } from '@tanstack/react-router';
import { isSandbox } from '../../staff/api/environment.ts';
import { useRead } from '../../staff/api/queries.ts';
import { TenantClock } from '../../staff/parts/clock.tsx';
import { Frame } from '../../staff/shell/frame.tsx';
import { PersonMenu } from '../../staff/shell/person_menu.tsx';
import { ChooseTenant, Starting } from '../../staff/shell/starting.tsx';
import { VisitBanner, VisitInstead } from '../../staff/shell/visit.tsx';
import { ChaosBanner } from './chaos_banner.tsx';
import { Jump } from './jump.tsx';
import { pageGroups } from './pages.ts';

/** The portal: the pages of one Tenant, for who is signed in there. */
export function Shell() {
  const session = useRead('GET /portal/api/session', {});
  const { data } = session;
  if (!data) return <Starting session={session} />;
  if (data.scope === null || data.scope === 'platform') return <ChooseTenant session={data} />;
  const { visit, scope } = data;
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
