import { Anchor, Stack } from '@mantine/core';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Invitations } from '../../staff/tenant/invitations.tsx';
import { Members } from '../../staff/tenant/members.tsx';
import { SupportAccess } from '../../staff/tenant/support_access.tsx';

/** Who works for the Tenant, who is invited, and whom of the platform's staff an owner lets in. */
export const Team = () => (
  <>
    <PageTitle title="Team" text="Who may sign in for this tenant, and what they may do.">
      <Anchor href="/portal/sign-in" size="sm">
        Your own sessions and passkeys
      </Anchor>
    </PageTitle>
    <Stack gap="xl">
      <Members />
      <Invitations />
      <SupportAccess />
    </Stack>
  </>
);
