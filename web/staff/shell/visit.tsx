import { Alert, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { isolated } from '../../ui/isolated.ts';
import { call } from '../api/call.ts';
import { Trouble } from '../parts/trouble.tsx';
import { When } from '../parts/when.tsx';

export type Visit = NonNullable<CurrentSession['visit']>;

interface VisitProps {
  readonly visit: Visit;
  /** The Tenant. */
  readonly scope: string | null;
}

/** Back to where the visit began: the Tenant's page of the console. */
function Leave({ scope }: Pick<VisitProps, 'scope'>) {
  const leave = useMutation({
    mutationFn: () => call('POST /portal/api/session/leave', {}),
    onSuccess: () => location.assign(`/console/tenants/${scope}`),
  });
  return (
    <>
      {leave.error && <Trouble error={leave.error} />}
      <Button
        size="compact-sm"
        variant="default"
        loading={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        Leave
      </Button>
    </>
  );
}

const consent = ({ consent_by }: Visit): string =>
  consent_by === null ? 'by consent of the tenant' : `by consent of ${isolated(consent_by)}`;

/** The banner on every page of a visit (rules/people#9). */
export const VisitBanner = ({ visit, scope }: VisitProps) => (
  <Alert color="yellow" role="region" aria-label="Your visit" mb="md" p="sm">
    <Group justify="space-between" gap="xs">
      <Text size="sm" className="shrinks">
        {'You are in '}
        <strong>{visit.tenant_name}</strong>
        {` as a reader, ${consent(visit)}, until `}
        <When at={visit.until} isDate />.
      </Text>
      <Leave scope={scope} />
    </Group>
  </Alert>
);

/** The text in place of every page that a visit may not show, or once the visit is over. */
export const VisitInstead = ({ visit, scope }: VisitProps) => (
  <Container size="xs" py="xl" component="main">
    <Stack align="flex-start">
      <Title order={1} size="h2">
        {visit.over ? 'Your visit is over' : 'You are in a tenant'}
      </Title>
      <Text>
        {visit.over
          ? `You are no longer in ${isolated(visit.tenant_name)}: the consent or the time has ended.`
          : `You see ${isolated(visit.tenant_name)} as a reader. Leave to open the console.`}
      </Text>
      <Leave scope={scope} />
    </Stack>
  </Container>
);
