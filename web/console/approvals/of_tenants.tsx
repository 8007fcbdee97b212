import { Anchor, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Approval } from '@tenant-payments/backoffice/contract/operate/approvals.ts';
import type { DeskCase } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { TenantProvider, usePages, useRead } from '../../staff/api/queries.ts';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { ApprovalEffects, ApprovalForm } from '../case/approval_form.tsx';
import { Ended, type Outcome } from '../case/outcome.tsx';
import { useIsMe } from '../case/who.tsx';
import { actorOf, approveText, askedFor } from './words.ts';

const everyMs = 15_000;

type Row = DeskCase & { readonly record: Approval };
const isRequest = (row: DeskCase): row is Row => row.record.object === 'approval';

interface Decided {
  readonly title: string;
  readonly id: string;
  readonly outcome: Outcome;
}

/** The requests of all Tenants that wait for a second person. */
export function OfTenants() {
  const pages = usePages('GET /portal/api/desk', { resource: 'approvals' }, false, everyMs);
  const rows = (pages.data?.pages ?? []).flatMap(({ data }) => data).filter(isRequest);
  const [decided, setDecided] = useState<Decided | null>(null);
  return (
    <Stack gap="sm" component="section" aria-label="Requests of tenants">
      <Title order={2} size="h4">
        Of tenants
      </Title>
      {decided && (
        <Ended
          id={decided.id}
          outcome={{ ...decided.outcome, title: `${decided.outcome.title}: ${decided.title}` }}
        />
      )}
      {pages.error && <Trouble error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && (
        <Skeleton height={160} role="status" aria-label="Loading the requests of tenants" />
      )}
      {pages.isSuccess && rows.length === 0 && (
        <Text size="sm">No tenant has a request waiting</Text>
      )}
      {rows.length > 0 && (
        <Stack gap="sm" component="ol" className="plain-list" aria-label="Requests of tenants">
          {rows.map((row) => (
            <TenantProvider key={row.id} value={row.tenant_id}>
              <OneOfTenant row={row} onEnd={setDecided} />
            </TenantProvider>
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
    </Stack>
  );
}

interface AskedProps {
  readonly record: Row['record'];
  readonly by: string;
  /** The address of its case. */
  readonly address: object;
}

const Asked = ({ record, by, address }: AskedProps) => (
  <Text size="sm" c="dimmed" className="breaks">
    {`Asked by ${by}, `}
    <When at={record.created_at} />. Lapses <When at={record.lapses_at} />.{' '}
    <Anchor
      component={Link}
      inherit
      underline="always"
      to="/case/$tenantId/$resource/$id"
      params={address as never}
    >
      See the case
    </Anchor>
  </Text>
);

interface OneProps {
  readonly row: Row;
  readonly onEnd: (decided: Decided) => void;
}

/** One request, with the effect that it would have now. */
function OneOfTenant({ row, onEnd }: OneProps) {
  const { id, tenant_id, tenant_name } = row;
  const route = 'GET /portal/api/cases/:resource/:id';
  const { data, error, refetch } = useRead(route, { resource: 'approvals', id });
  const [move, setMove] = useState<'approve' | 'refuse' | 'take_back' | null>(null);
  const record = data?.record.object === 'approval' ? data.record : row.record;
  const isOwn = useIsMe()(record.maker);
  const act = askedFor(record);
  const title = `${act}, ${isolated(tenant_name)}`;
  const address = { tenantId: tenant_id, resource: 'approvals', id };
  const by = actorOf({ people: data?.people ?? [] }, record.maker);
  return (
    <li className="card">
      <Stack gap="sm">
        <Text fw={600} component="h3" className="breaks">
          {title}
        </Text>
        <Text size="sm" className="wrapped">
          {record.note}
        </Text>
        <Asked record={record} by={isOwn ? 'you' : by} address={address} />
        {error && <Trouble error={error} onRetry={() => void refetch()} />}
        {data ? <ApprovalEffects approval={record} /> : !error && <Skeleton height={80} />}
        <Group gap="xs">
          {!isOwn && (
            <Button
              className="wraps"
              disabled={!data || record.changed || record.obstacle !== null}
              onClick={() => setMove('approve')}
            >
              {approveText(act)}
            </Button>
          )}
          <Button
            variant="default"
            aria-label={`${isOwn ? 'Take back' : 'Refuse'}: ${title}`}
            onClick={() => setMove(isOwn ? 'take_back' : 'refuse')}
          >
            {isOwn ? 'Take it back' : 'Refuse'}
          </Button>
        </Group>
      </Stack>
      <Dialog title={title} isOpen={move !== null} onClose={() => setMove(null)}>
        {move && (
          <ApprovalForm
            approval={record}
            move={move}
            onClose={() => setMove(null)}
            onEnd={(outcome) => {
              setMove(null);
              onEnd({ title, id: record.record_id, outcome });
            }}
          />
        )}
      </Dialog>
    </li>
  );
}
