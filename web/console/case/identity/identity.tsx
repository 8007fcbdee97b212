import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import type { IdentityRecord } from '@tenant-payments/backoffice/contract/operate/identity.ts';
import { useRead } from '../../../staff/api/queries.ts';
import { Section } from '../../../staff/parts/section.tsx';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { When } from '../../../staff/parts/when.tsx';
import { useBegun } from '../../money/use_begun.tsx';
import { Answers } from './answers.tsx';
import { Documents } from './documents.tsx';
import { OwnersOf, Said, SamePerson } from './findings.tsx';
import { documentsInWords } from './words.ts';

interface IdentityProps {
  readonly tenantId: string;
  readonly resource: 'customers' | 'owners';
  readonly id: string;
}

const everyMs = 15_000;

/**
 * The data that are kept for the identity check of a customer or owner; nothing where a provider
 * has them.
 */
export function Identity({ tenantId, resource, id }: IdentityProps) {
  const route = 'GET /portal/api/identity/:resource/:id';
  const { data, error, refetch } = useRead(route, { resource, id }, everyMs);
  if (!data)
    return error ? (
      <Trouble error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={120} role="status" aria-label="Loading what is kept" />
    );
  const { collected_at, documents, owners, same_person, checks, missing } = data;
  const isKept = collected_at !== null || documents.length > 0;
  if (!isKept && checks.length === 0 && owners.length === 0) return null;
  return (
    <Section
      title="Identity"
      text={isKept ? 'Kept here and sealed. Each opening is written down with your name.' : ''}
    >
      {missing.length > 0 && (
        <Alert color="yellow" title="Documents are missing">
          {documentsInWords(missing)}
        </Alert>
      )}
      {same_person.length > 0 && <SamePerson people={same_person} />}
      {isKept && <Kept tenantId={tenantId} resource={resource} record={data} />}
      {owners.length > 0 && <OwnersOf owners={owners} />}
      {checks.length > 0 && <Said checks={checks} />}
    </Section>
  );
}

interface KeptProps {
  readonly tenantId: string;
  readonly resource: IdentityProps['resource'];
  readonly record: IdentityRecord;
}

const option = { move: 'open_identity', required: ['note'] };

/** The answers and documents, and the way to open them. */
function Kept({ tenantId, resource, record }: KeptProps) {
  const { id, opens, open_until, collected_at, tax_kind, documents } = record;
  const { begin, dialog, ended } = useBegun();
  const isOpen = opens === 'case' || open_until !== null;
  return (
    <Stack gap="md">
      {collected_at && (
        <Text size="sm" component="div">
          Given <When at={collected_at} />.
          {open_until && (
            <>
              {' '}
              Open to you until <When at={open_until} isDate />.
            </>
          )}
        </Text>
      )}
      {ended}
      {!isOpen && (
        <Stack gap="xs" align="flex-start">
          <Text size="sm" maw={520}>
            No decision about it is due, so two people must agree to open this: say why. Then it is
            open to both for 15 minutes.
          </Text>
          <Button
            variant="default"
            onClick={() => begin({ subject: { tenant_id: tenantId, resource, id }, option })}
          >
            Ask to open it
          </Button>
        </Stack>
      )}
      {collected_at && isOpen && <Answers resource={resource} id={id} taxKind={tax_kind} />}
      <Documents resource={resource} id={id} documents={documents} isOpen={isOpen} />
      {dialog}
    </Stack>
  );
}
