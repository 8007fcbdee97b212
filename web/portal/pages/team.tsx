import { Anchor, Stack } from '@mantine/core';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Invitations } from '../../staff/people/invitations.tsx';
import { People } from '../../staff/people/people.tsx';
import { ofTenant } from '../../staff/people/scope.ts';
import { SupportAccess } from '../../staff/tenant/support_access.tsx';

/** The members of the Tenant, their invitations, and the platform's staff whom an owner lets in. */
export const Team = () => (
  <>
    <PageTitle title="Team" text="Who may sign in for this tenant, and what they may do.">
      <Anchor href="/portal/sign-in" size="sm">
        Your own sessions and passkeys
      </Anchor>
    </PageTitle>
    <Stack gap="xl">
      <People scope={ofTenant} />
      <Invitations scope={ofTenant} offered="reader" />
      <SupportAccess />
    </Stack>
  </>
);
