import { Stack, Text } from '@mantine/core';
import { holds, useSession } from '../../staff/api/session.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Invitations } from '../../staff/people/invitations.tsx';
import { People } from '../../staff/people/people.tsx';
import { ofPlatform } from '../../staff/people/scope.ts';
import { NotDone } from '../approvals/second_person.tsx';

const scope = ofPlatform(NotDone);

/**
 * The staff of the platform. The right to approve is given and taken by two (rules/approvals#21).
 */
export function Staff() {
  const isAdmin = holds(useSession(), ['admin']);
  return (
    <>
      <PageTitle
        title="Staff"
        text="Who works for the platform. Reviewers and admins are made, and admins removed, by two admins."
      />
      {isAdmin ? (
        <Stack gap="xl" maw={1100}>
          <People scope={scope} />
          <Invitations scope={scope} offered="support" />
        </Stack>
      ) : (
        <Text>Only admins of the platform manage its staff.</Text>
      )}
    </>
  );
}
