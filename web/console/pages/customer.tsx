import { Skeleton, Stack } from '@mantine/core';
import { shortened } from '@tenant-payments/contract/core/fields/field.ts';
import type { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { labelOf, partiesOf, useFace } from '../../staff/api/faces.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { CustomerConsents } from '../../staff/parts/customer_consents.tsx';
import { CustomerMessages } from '../../staff/parts/customer_messages.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { ShortId } from '../../staff/parts/short_id.tsx';
import { StateBadge } from '../../staff/parts/state_badge.tsx';
import { inWords } from '../../staff/parts/tell.ts';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { CaseLink } from '../case/case_link.tsx';
import { profileOf } from '../case/facts.tsx';
import { Accounts, LinkedAccounts } from '../customer/accounts.tsx';
import { Activity } from '../customer/activity_table.tsx';
import { CustomerCases } from '../customer/cases.tsx';
import { capitalized } from '../desk/words.ts';

/** All that staff can tell a customer who telephones: nothing is changed here. */
export function CustomerPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/records/:id', { id });
  const face = useFace(id);
  const mayDecide = holds(useSession(), ['reviewer']);
  const name = partiesOf(face) ?? labelOf(face) ?? `Customer ${shortened(id)}`;
  const customer = data?.record as Customer | undefined;
  return (
    <>
      <PageTitle
        title={name}
        text={
          customer && (
            <>
              {`${capitalized(inWords(customer.type))} customer since `}
              <When at={customer.created_at} /> <ShortId id={id} />
            </>
          )
        }
      >
        {data?.status && <StateBadge state={data.status} />}
      </PageTitle>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} role="status" aria-label="Loading the customer" />}
      {customer && (
        <div className="record">
          <Stack gap="xl" className="shrinks">
            <Accounts customerId={id} />
            <CustomerCases customerId={id} />
            <Section
              title="Activity"
              text="Payments, loads, withdrawals and refunds, newest first."
            >
              <Activity customerId={id} />
            </Section>
          </Stack>
          <Stack gap="xl" className="shrinks">
            <Section title="Profile">
              <Facts rows={profileOf(customer, name)} />
              {mayDecide && (
                <CaseLink resource="customers" id={id} text="Open the case of the customer" />
              )}
            </Section>
            <LinkedAccounts customerId={id} />
            <CustomerMessages id={id} />
            <CustomerConsents id={id} />
          </Stack>
        </div>
      )}
    </>
  );
}
