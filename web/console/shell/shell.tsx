import { Outlet } from '@tanstack/react-router';
import { useRead } from '../../staff/api/queries.ts';
import { Frame } from '../../staff/shell/frame.tsx';
import { PersonMenu } from '../../staff/shell/person_menu.tsx';
import { Choose, Starting } from '../../staff/shell/starting.tsx';
import { VisitInstead } from '../../staff/shell/visit.tsx';
import { pageGroups } from './pages.ts';

/** The console: the pages of the platform's own people. */
export function Shell() {
  const session = useRead('GET /portal/api/session', {});
  const { data } = session;
  if (!data) return <Starting session={session} />;
  if (data.visit) return <VisitInstead visit={data.visit} scope={data.scope} />;
  if (data.scope !== 'platform') {
    const scopes = data.scopes.filter(({ scope }) => scope === 'platform');
    return (
      <Choose
        title="Operations console"
        text={
          scopes.length > 0
            ? 'You act in a tenant now. The console is for the staff of the platform.'
            : 'Only the staff of the platform works here. Ask an admin for an invitation.'
        }
        scopes={scopes}
      />
    );
  }
  return (
    <Frame
      session={data}
      name="Operations console"
      groups={pageGroups}
      tools={<PersonMenu session={data} />}
    >
      <Outlet />
    </Frame>
  );
}
