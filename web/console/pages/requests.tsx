import { Button, Center, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { useState } from 'react';
import { useAddress } from '../../staff/api/address.ts';
import { usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Decide, type Decided, type Deciding, Ended } from '../approvals/decide.tsx';
import { OfTenants } from '../approvals/of_tenants.tsx';
import { OneRequest } from '../approvals/one_request.tsx';
import { actOf } from '../approvals/words.ts';

const list = 'GET /portal/api/platform-approvals';
const everyMs = 15_000;

const states = [
  { value: '', label: 'Waiting' },
  { value: 'approved', label: 'Approved' },
  { value: 'refused', label: 'Refused' },
  { value: 'lapsed', label: 'Lapsed' },
];

/**
 * The requests of one person that another approves, of Tenants and of the platform
 * (rules/approvals#5, #13).
 */
export function Requests() {
  const session = useSession();
  const isAdmin = holds(session, ['admin']);
  return (
    <>
      <PageTitle
        title="Requests"
        text="What one person has asked for, and a second approves with a passkey."
      />
      {holds(session, ['reviewer']) ? (
        <Stack gap="xl" maw={760}>
          <OfTenants />
          {isAdmin && <OfPlatform />}
        </Stack>
      ) : (
        <Text>Only reviewers and admins of the platform see requests.</Text>
      )}
    </>
  );
}

function OfPlatform() {
  const [{ status }, set] = useAddress(['status']);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [decided, setDecided] = useState<Decided | null>(null);
  const asked = (status === '' ? 'waiting' : status) as PlatformApproval['status'];
  const pages = usePages(list, { status: asked }, false, everyMs);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const close = () => setDeciding(null);
  return (
    <Stack gap="sm" component="section" aria-label="Requests of the platform">
      <Title order={2} size="h4">
        Of the platform
      </Title>
      {decided && <Ended decided={decided} />}
      <NativeSelect
        label="State"
        maw={220}
        value={status}
        data={states}
        onChange={({ currentTarget }) => set({ status: currentTarget.value })}
      />
      {pages.error && <Trouble error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Skeleton height={160} role="status" aria-label="Loading the requests" />}
      {pages.isSuccess && rows.length === 0 && (
        <Text fw={600}>{asked === 'waiting' ? 'Nothing waits' : 'No such requests yet'}</Text>
      )}
      {rows.length > 0 && (
        <Stack gap="sm" component="ol" className="plain-list" aria-label="Requests">
          {rows.map((request) => (
            <OneRequest
              key={request.id}
              request={request}
              onDecide={(move) => setDeciding({ request, move })}
            />
          ))}
        </Stack>
      )}
      {pages.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
      <Dialog
        title={deciding ? actOf(deciding.request) : ''}
        isOpen={deciding !== null}
        onClose={close}
      >
        {deciding && (
          <Decide
            deciding={deciding}
            onClose={close}
            onEnd={(end) => {
              setDecided(end);
              close();
            }}
          />
        )}
      </Dialog>
    </Stack>
  );
}
