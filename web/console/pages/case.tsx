import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { CaseFile } from '@tenant-payments/backoffice/contract/operate/desk.ts';
import { useState } from 'react';
import { TenantProvider, useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { TenantClock } from '../../staff/parts/clock.tsx';
import { CustomerConsents } from '../../staff/parts/customer_consents.tsx';
import { CustomerMessages } from '../../staff/parts/customer_messages.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { Fold } from '../../staff/parts/fold.tsx';
import { JsonView } from '../../staff/parts/json_view.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Part, Section } from '../../staff/parts/section.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { isolated } from '../../ui/isolated.ts';
import { ApprovalEffects } from '../case/approval_form.tsx';
import { AskedText } from '../case/asked_text.tsx';
import { Assignment } from '../case/assignment.tsx';
import { BankAccounts } from '../case/bank_accounts.tsx';
import { Customer } from '../case/customer.tsx';
import { Decisions } from '../case/decisions.tsx';
import { deadlinesOf, factsOf } from '../case/facts.tsx';
import { Identity } from '../case/identity/identity.tsx';
import { LetterPreview } from '../case/letter_preview.tsx';
import { Letters } from '../case/letters.tsx';
import { Moves } from '../case/moves.tsx';
import { Next } from '../case/next.tsx';
import { Notes } from '../case/notes.tsx';
import { NoticeWords } from '../case/notice_words.tsx';
import { Ended, type Outcome } from '../case/outcome.tsx';
import { spanOf, textOf } from '../case/span.ts';
import { PeopleProvider } from '../case/who.tsx';
import { Activity } from '../customer/activity_table.tsx';
import { CustomerCases } from '../customer/cases.tsx';
import { Due } from '../desk/due.tsx';
import { useDeskFilters } from '../desk/filters.ts';
import { reasonOf, titleOf } from '../desk/what.ts';
import { kindOf } from '../desk/words.ts';

interface Address {
  readonly tenantId: string;
  readonly resource: string;
  readonly id: string;
}

const everyMs = 15_000;

/** One case: what is known, what was decided, and what can be. */
export function Case() {
  const address = useParams({ strict: false }) as Address;
  const isReviewer = holds(useSession(), ['reviewer']);
  if (!isReviewer)
    return (
      <>
        <PageTitle title="Case" />
        <Text>Only reviewers open cases. An admin of the platform can make you one.</Text>
      </>
    );
  return (
    <>
      <Ways {...address} />
      <TenantProvider value={address.tenantId}>
        <TenantClock>
          <OneCase key={Object.values(address).join(' ')} {...address} />
        </TenantClock>
      </TenantProvider>
    </>
  );
}

/** Back to the desk as it was, and on to the next case. */
function Ways(address: Address) {
  const { values } = useDeskFilters();
  return (
    <Group justify="space-between" mb="md">
      <Anchor component={Link} to="/desk" search={values as never} size="sm">
        Back to the desk
      </Anchor>
      <Next {...address} />
    </Group>
  );
}

function OneCase({ resource, id }: Address) {
  const route = 'GET /portal/api/cases/:resource/:id';
  const { data, error, refetch } = useRead(route, { resource, id }, everyMs);
  if (!data)
    return (
      <>
        <PageTitle title="Case" text={kindOf(resource)} />
        {error ? (
          <Trouble error={error} onRetry={() => void refetch()} />
        ) : (
          <Stack role="status" aria-label="Loading the case">
            <Skeleton height={80} />
            <Skeleton height={320} />
          </Stack>
        )}
      </>
    );
  return (
    <>
      <PageTitle
        title={titleOf(data.record)}
        text={`${kindOf(resource)} of ${isolated(data.tenant_name)}`}
      >
        <StateBadge state={data.status} resource={data.record.object} />
      </PageTitle>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      <PeopleProvider value={data.people}>
        <Parts file={data} />
      </PeopleProvider>
    </>
  );
}

function Parts({ file }: { readonly file: CaseFile }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { customer_id } = file;
  return (
    <Stack gap="lg">
      {outcome && <Ended id={file.id} outcome={outcome} />}
      <div className="record">
        <Stack gap="xl" className="shrinks">
          <Why file={file} />
          <Moves file={file} onEnd={setOutcome} />
          <Part title="The evidence">
            <Evidence file={file} />
          </Part>
          <Part title="Decided before">
            <Decisions title="Decisions" rows={file.decisions} nothing="None was made yet." />
            {customer_id && <CustomerCases customerId={customer_id} besides={file.id} />}
            <Decisions
              title="Earlier cases of the customer"
              rows={file.earlier}
              nothing="No other case of this customer was decided."
              ofOthers
            />
          </Part>
        </Stack>
        <Stack gap="xl" className="shrinks">
          <Notes file={file} />
          {customer_id && <Customer id={customer_id} isWhole={file.record.object !== 'customer'} />}
          {customer_id && <CustomerConsents id={customer_id} />}
          <BankAccounts file={file} />
          {customer_id && <CustomerMessages id={customer_id} />}
          <Fold summary="The record as JSON">
            <JsonView title="Record" value={file.record} />
          </Fold>
        </Stack>
      </div>
    </Stack>
  );
}

/** The reason that the desk's list shows, since when it waits, until when, and who has it. */
function Why({ file }: { readonly file: CaseFile }) {
  const { waiting_since, due_at, late, tenant_id, resource } = file;
  if (waiting_since === null)
    return (
      <Alert color="gray" role="status" title="This case no longer waits">
        It was decided, or has ended by itself.
      </Alert>
    );
  return (
    <Section title="Why it is here">
      <Text className="breaks">{isolated(reasonOf(file.record))}</Text>
      <Text size="sm" component="div">
        Due: <Due at={due_at} late={late} tenantId={tenant_id} isReal={resource === 'approvals'} />.
        Waiting since <When at={waiting_since} isDate />.
      </Text>
      <Assignment file={file} />
    </Section>
  );
}

/**
 * The evidence for a decision: the record itself, its checks and documents, and the money around
 * it.
 */
function Evidence({ file }: { readonly file: CaseFile }) {
  const { record, customer_id } = file;
  /** By the title, and by why it is here. */
  const told: readonly unknown[] = [titleOf(record), file.waiting_since && reasonOf(record)];
  return (
    <>
      {record.object === 'approval' && file.waiting_since && (
        <Section title="What it would do now">
          <ApprovalEffects approval={record} />
          {file.letter && <LetterPreview letter={file.letter} />}
        </Section>
      )}
      {record.object === 'approval' && <AskedText body={record.body} />}
      {(record.object === 'customer' || record.object === 'owner') && (
        <Identity
          tenantId={file.tenant_id}
          resource={record.object === 'customer' ? 'customers' : 'owners'}
          id={record.id}
        />
      )}
      <Section title="Facts">
        <Facts rows={factsOf(record).filter(([, value]) => !told.includes(value))} />
      </Section>
      <Deadlines file={file} />
      {customer_id && (
        <Section title="Account activity" text={textOf(record)}>
          <Activity
            customerId={customer_id}
            span={spanOf(record)}
            disputed={record.object === 'dispute' ? record.payment_id : null}
          />
        </Section>
      )}
      {record.object === 'dispute' && <Letters id={record.id} />}
      {record.object === 'notice' && <NoticeWords id={record.id} />}
      {record.object === 'notice' && record.kind === 'dispute_letter' && record.source_id && (
        <Letters id={record.source_id} />
      )}
    </>
  );
}

function Deadlines({ file: { record, tenant_id } }: { readonly file: CaseFile }) {
  if (record.object !== 'dispute') return null;
  const rows = deadlinesOf(record);
  if (rows.length === 0) return null;
  return (
    <Section title="Deadlines">
      <Facts
        rows={rows.map(([name, at]) => [
          name,
          <Due key={name} at={at} tenantId={tenant_id} isReal={false} />,
        ])}
      />
    </Section>
  );
}
