import { Button, Center, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import type { PlatformApproval } from '@tenant-payments/backoffice/contract/operate/platform_approvals.ts';
import { useState } from 'react';
import { useAddress } from '../../staff/api/address.ts';
import { usePages } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { Decide, type Decided, type Deciding, Ended } from '../approvals/decide.tsx';
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

/** What two admins do to the platform: what one has asked for, and another approves (rules/approvals#13). */
export function Requests() {
  const isAdmin = holds(useSession(), ['admin']);
  return (
    <>
      <PageTitle
        title="Requests"
        text="What one admin has asked for, and a second approves with a passkey."
      />
      {isAdmin ? <Listed /> : <Text>Only admins of the platform see these requests.</Text>}
    </>
  );
}

function Listed() {
  const [{ status }, set] = useAddress(['status']);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [decided, setDecided] = useState<Decided | null>(null);
  const asked = (status === '' ? 'waiting' : status) as PlatformApproval['status'];
  const pages = usePages(list, { status: asked }, false, everyMs);
  const rows = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const close = () => setDeciding(null);
  return (
    <Stack gap="md" maw={760}>
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
        <Text fw={600}>{asked === 'waiting' ? 'Nothing waits' : 'There is none'}</Text>
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
