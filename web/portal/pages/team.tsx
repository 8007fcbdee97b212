import { Anchor, Stack } from '@mantine/core';
import { PageTitle } from '../parts/page_title.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { SupportAccess } from './support_access.tsx';

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
