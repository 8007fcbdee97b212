import { Outlet } from '@tanstack/react-router';
import { isSandbox } from '../api/environment.ts';
import { useRead } from '../api/queries.ts';
import { ChaosBanner } from './chaos_banner.tsx';
import { Frame } from './frame.tsx';
import { Jump } from './jump.tsx';
import { pageGroups } from './pages.ts';
import { PersonMenu } from './person_menu.tsx';
import { ChooseTenant, Starting } from './starting.tsx';
import { VisitBanner, VisitInstead } from './visit.tsx';

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
      <Outlet />
    </Frame>
  );
}
